/** The nodes of an archive, before anything is stored. */
import { describe, expect, test } from "vitest";
import { planNodes } from "../../../functions/archives/import-nodes.ts";

const node = (name: string) => ({ name, node_type: "vpcs", node_id: crypto.randomUUID() });
const namesOf = async (names: readonly string[]) =>
  (await planNodes(names.map(node), [], undefined, "keep")).map(({ request }) => request.name);

describe("nodes with one name", () => {
  test("get the lowest free number", async () => {
    expect(await namesOf(["PC1", "PC1", "PC3", "PC1", "PC1", "R", "R"])).toEqual([
      "PC1",
      "PC2",
      "PC3",
      "PC4",
      "PC5",
      "R",
      "R1",
    ]);
    // A name that comes later does not lose to a number.
    expect(await namesOf(["R", "R", "R1", "R"])).toEqual(["R", "R1", "R2", "R3"]);
  });

  test("are named in one look each, however many there are", async () => {
    let looks = 0;
    const has = Set.prototype.has;
    Set.prototype.has = function (value) {
      if (typeof value === "string" && /^PC\d+$/.test(value)) looks++;
      return has.call(this, value);
    };
    try {
      expect((await namesOf(Array.from({ length: 500 }, () => "PC1"))).at(-1)).toBe("PC500");
    } finally {
      Set.prototype.has = has;
    }
    expect(looks).toBeLessThan(2_000);
  });
});
