import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import type { Guests } from "@wirelab/lab/read/guests";
import { readLab } from "@wirelab/lab/read/read-lab";
import { describe, expect, test } from "vitest";

const guests: Guests = {
  problemOf: (image) => (image === "none" ? "there is no image none" : undefined),
  makeDevice: () => {
    throw new Error("not used");
  },
};

const read = (node: object, options: { guests?: Guests } = { guests }) =>
  readLab(
    { nodes: { pc1: "10.0.0.2/24", r1: { type: "linux", ...node } }, links: ["pc1 -- r1"] },
    { name: "lab", load: (file) => Buffer.from(`text of ${file}`), ...options },
  );

describe("a node of the type linux", () => {
  test("has ports, addresses, files and commands", () => {
    const [, node] = read({
      image: "frr",
      ports: ["10.0.0.1/24", ["10.1.0.1/24", "fd00::1/64"], null],
      files: { "etc/frr/frr.conf": "router ospf\n", "root/more": { from: "more.txt" } },
      commands: "one\ntwo\n",
    }).nodes;
    expect(node!.ports).toEqual(["eth0", "eth1", "eth2"]);
    expect(node!.addresses).toEqual(["10.0.0.1", "10.1.0.1", "fd00::1"]);
    expect(node!.spec).toEqual({
      type: "linux",
      name: "r1",
      image: "frr",
      ports: 3,
      mac: 0x0257_4c80_0040,
      addresses: [["10.0.0.1/24"], ["10.1.0.1/24", "fd00::1/64"], []],
      files: { "etc/frr/frr.conf": "router ospf\n", "root/more": "text of more.txt" },
      commands: ["one", "two"],
      makeDevice: guests.makeDevice,
    });
  });

  test("has as many ports as its links need, the image debian, and the name that it is given", () => {
    const named = read({ hostname: "edge" }).nodes[1]!;
    expect((named.spec as LinuxSpec).hostname).toBe("edge");
    const { spec } = read({}).nodes[1]!;
    expect((spec as LinuxSpec).hostname).toBeUndefined();
    expect((spec as LinuxSpec).ports).toBe(1);
    expect((spec as LinuxSpec).image).toBe("debian");
  });

  test.each([
    [{ image: "none" }, "nodes.r1.image cannot be used: there is no image none."],
    [{ ports: ["10.0.0.1"] }, 'nodes.r1.ports[0] must be an address with prefix length, got "10.0.0.1".'],
    [{ ports: 65 }, "nodes.r1.ports"],
    [{ odd: 1 }, "nodes.r1.odd"],
    [{ hostname: "a b" }, "nodes.r1.hostname must be 1 to 63 letters, digits and hyphens"],
    [
      { memory: 256 },
      "nodes.r1.memory cannot be set on a node: the saved state of its image has a fixed size. Build an image from a recipe with this `memory` (docs/linux-nodes.md).",
    ],
  ])("%j is refused", (node, message) => {
    expect(() => read(node)).toThrow(message);
  });

  test("has the files that it is asked for at the end, without the slash at the beginning", () => {
    expect(read({ collect: "/tmp/a" }).nodes[1]!.collect).toEqual([{ path: "tmp/a", place: undefined }]);
    expect(read({ collect: ["tmp/a", "root/.b c"] }).nodes[1]!.collect!.map(({ path }) => path)).toEqual([
      "tmp/a",
      "root/.b c",
    ]);
    expect(read({}).nodes[1]).not.toHaveProperty("collect");
  });

  test.each([
    ["var/log/", 'nodes.r1.collect must be the path of a file, got "var/log/": name each file.'],
    [["tmp/a", ""], 'nodes.r1.collect[1] must be the path of a file, got "": name each file.'],
    [["../a"], 'nodes.r1.collect[0] must be a path without empty parts, . and .., got "../a".'],
    [["a//b"], 'nodes.r1.collect[0] must be a path without empty parts, . and .., got "a//b".'],
    [["a", "/a"], 'nodes.r1.collect[1] is there twice: "/a".'],
    [Array.from({ length: 65 }, (_, at) => `f${at}`), "nodes.r1.collect must be at most 64 files, got 65."],
    [7, "nodes.r1.collect"],
  ])("collect: %j is refused", (collect, message) => {
    expect(() => read({ collect })).toThrow(message);
  });

  test("a file that cannot be read is named", () => {
    const load = () => {
      throw new Error("no such file");
    };
    expect(() =>
      readLab(
        { nodes: { r1: { type: "linux", files: { "etc/a": { from: "b" } } } } },
        { name: "lab", guests, load },
      ),
    ).toThrow("nodes.r1.files.etc/a cannot be read: no such file.");
  });

  test("is refused where no guests run", () => {
    expect(() => read({}, {})).toThrow(
      "Linux nodes do not run here; play the lab file with the command wirelab",
    );
  });
});
