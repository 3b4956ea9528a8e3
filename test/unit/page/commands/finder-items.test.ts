import { describe, expect, test } from "vitest";
import type { Node } from "../../../../page/src/api/types.ts";
import { addressesOf, commandItems, deviceItems, find } from "../../../../page/src/commands/finder-items.ts";

const device = (name: string, properties: object = {}) => ({ node_id: name, name, properties }) as Node;
const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);

describe("the addresses of a device", () => {
  test.each([
    [{ startup_script: "ip 10.0.0.1/24\nip 10.0.0.1/24" }, ["10.0.0.1/24"]],
    [
      { interfaces: [{ address: "192.168.1.254" }, { address: "2001:db8::1/64" }] },
      ["192.168.1.254", "2001:db8::1/64"],
    ],
    [{ mac_address: "02:00:00:00:00:01" }, ["02:00:00:00:00:01"]],
    [{ image: "debian:12", ports_mapping: [{ port_number: 0 }] }, []],
  ])("of %o are %o", (properties, addresses) => {
    expect(addressesOf(device("PC1", properties))).toEqual(addresses);
  });
});

describe("a search", () => {
  const items = [
    ...deviceItems([
      device("PC10"),
      device("PC2", { startup_script: "ip 10.0.0.2/24" }),
      device("Core PC"),
      device("SW1"),
    ]),
    ...commandItems(() => true),
  ];

  test("finds devices by their names, and the best first", () => {
    expect(namesOf(find(items, "pc")).slice(0, 3)).toEqual(["PC2", "PC10", "Core PC"]);
  });

  test("finds devices by their addresses", () => {
    expect(namesOf(find(items, "10.0.0.2"))).toEqual(["PC2"]);
  });

  test("takes words in any order", () => {
    expect(namesOf(find(items, "row align"))).toEqual(["Align in a row"]);
  });

  test("finds nothing for a word that nothing has, and everything without words", () => {
    expect(find(items, "zzz")).toEqual([]);
    expect(find(items, "  ")).toHaveLength(items.length);
  });

  test("offers no command that can do nothing, and none that is keys only", () => {
    expect(namesOf(commandItems((id) => id === "undo" || id === "move"))).toEqual(["Undo"]);
  });
});
