import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";

const node = (id: string, name: string, node_type: string, properties: object = {}) => ({
  node_id: id,
  name,
  node_type,
  properties,
});
const side = (node_id: string, adapter_number: number, port_number: number) => ({
  node_id,
  adapter_number,
  port_number,
});

const pack = (nodes: object[], links: object[] = []): Uint8Array =>
  zipSync({
    "project.gns3": strToU8(JSON.stringify({ revision: 9, type: "topology", topology: { nodes, links } })),
    "project-files/vpcs/p1/startup.vpc": strToU8(
      "# saved\r\nset pcname PC1\r\nip 10.0.0.1/24 10.0.0.254\r\n",
    ),
    "images/QEMU/large.qcow2": strToU8("not read"),
  });

const LAB = pack(
  [
    node("p1", "PC 1", "vpcs", { startup_script: "ip 9.9.9.9/24" }),
    node("p2", "PC2", "vpcs", { startup_script: "ip 10.0.1.2/24 10.0.1.254" }),
    node("s", "Switch", "ethernet_switch", {
      ports_mapping: [
        { name: "e0", port_number: 0, type: "access", vlan: 5, ethertype: "" },
        { name: "e1", port_number: 1, type: "access", vlan: 5 },
      ],
    }),
    node("h", "Hub", "ethernet_hub", { ports_mapping: [{ port_number: 0 }, { port_number: 1 }] }),
    node("r", "R", "docker", {
      image: "wirelab/router:latest",
      ports: [{ ipv4: "10.0.0.254/24" }, { ipv4: "10.0.1.254/24" }],
    }),
  ],
  [
    { nodes: [side("p1", 0, 0), side("s", 0, 0)], filters: { delay: [20, 0] } },
    { nodes: [side("s", 0, 1), side("r", 0, 0)] },
    { nodes: [side("r", 1, 0), side("h", 0, 1)] },
    { nodes: [side("p2", 0, 0), side("h", 0, 0)], suspend: true },
  ],
);

const report = (expectations: string) =>
  runLab(
    parseLabFile(`topology: lab.gns3project\nrun: [{at: 10s, up: PC2 -- Hub}]\nexpect: ${expectations}`, {
      name: "x",
      loadTopology: (file) => readTopologyFile(file, LAB),
    }),
  ).verdicts.map(({ status, got }) => `${status}: ${got}`);

test("a project of PCs, a switch, a hub and a router runs with its filters, scripts and suspended links", () => {
  expect(
    report(`[
      {not reach: PC1 -> PC2, at: 5s, tries: 1},
      {path: PC1 -> PC2, at: 20s, through: [Switch, R, Hub]},
      {ping: PC1 -> PC2, at: 20s, p50: 40..42},
      {mac: Switch, has: PC1, at: 20s}]`),
  ).toEqual([
    expect.stringMatching(/^passed/),
    expect.stringMatching(/^passed/),
    expect.stringMatching(/^passed/),
    "passed: 00:50:79:66:68:00 on e0 (port 0), VLAN 5",
  ]);
});

const problemOf = (bytes: Uint8Array): string => {
  try {
    readTopologyFile("x.gns3project", bytes);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test("what a lab cannot run is refused by name", () => {
  const bytes = pack(
    [node("q", "IOU 1", "iou"), node("d", "web", "docker", { image: "nginx" })],
    [{ nodes: [side("q", 0, 0), side("zz", 0, 0)] }],
  );
  expect(problemOf(bytes).split("\n")).toEqual([
    "x.gns3project: node IOU 1 cannot be run here: it is of the type iou",
    "x.gns3project: node web cannot be run here: it is of the type docker with the image nginx",
    "x.gns3project: link 0 names a node that the project does not have: zz",
  ]);
});

test.each([
  ["bytes that are no archive", strToU8("hello"), "x.gns3project: not a GNS3 project (invalid zip)"],
  ["an archive without a project", zipSync({ a: strToU8("b") }), "has no project.gns3"],
  ["a project that is not JSON", zipSync({ "project.gns3": strToU8("{") }), "project.gns3 is not JSON"],
])("%s are refused", (_what, bytes, message) => {
  expect(problemOf(bytes)).toContain(message);
});

describe("an archive that was damaged on its way", () => {
  const stored = Buffer.from(
    zipSync(
      { "project.gns3": strToU8(JSON.stringify({ topology: { nodes: [], links: [] } })) },
      { level: 0 },
    ),
  );
  const changed = (packed: Uint8Array, at: number, byte: number): Uint8Array => {
    const bytes = Uint8Array.from(packed);
    bytes[at] = byte;
    return bytes;
  };

  test("is refused, also when its JSON can still be read", () => {
    expect(problemOf(stored)).toBe("");
    expect(problemOf(changed(stored, stored.indexOf("nodes"), 0x4e))).toBe(
      'x.gns3project: its entry "project.gns3" is damaged',
    );
  });

  test.each([
    ["less", -1],
    ["more", 1],
  ])("is refused when an entry has %s bytes than the directory announces", (_what, difference) => {
    const archive = pack([]);
    const size = Buffer.from(archive).indexOf("PK\x01\x02") + 24;
    expect(problemOf(changed(archive, size, archive[size]! - difference))).toBe(
      'x.gns3project: its entry "project.gns3" is damaged',
    );
  });
});

test("entries that a lab does not need are left out, whatever they are", () => {
  const archive = zipSync({
    "project.gns3": strToU8(JSON.stringify({ topology: { nodes: [], links: [] } })),
    "../images/x.qcow2": strToU8("x"),
  });
  expect(readTopologyFile("x.gns3project", archive)).toEqual({ nodes: {}, links: [] });
});

test("a topology of another format is refused by the name of its file", () => {
  expect(() => readTopologyFile("x.txt", strToU8(""))).toThrow("x.txt must be a containerlab file");
});

test("a router may have its ports on one adapter, as this service's routers have", () => {
  const archive = pack(
    [
      node("a", "A", "vpcs", { startup_script: "ip 10.0.1.2/24 10.0.1.254" }),
      node("r", "R", "docker", {
        image: "wirelab/router",
        ports: [{ ipv4: "10.0.0.254/24" }, { ipv4: "10.0.1.254/24" }],
      }),
    ],
    [{ nodes: [side("a", 0, 0), side("r", 0, 1)] }],
  );
  const { links } = readTopologyFile("lab.gns3project", archive);
  expect(links).toEqual([{ link: "A:0 -- R:1" }]);
});

describe("impairments, which are in a document of the service beside the project", () => {
  const nodes = [node("a", "A", "vpcs"), node("b", "B", "vpcs")];
  const links = [{ link_id: "l1", nodes: [side("a", 0, 0), side("b", 0, 0)] }];
  const archiveWith = (labFile: string) =>
    zipSync({
      "project.gns3": strToU8(JSON.stringify({ topology: { nodes, links } })),
      "wirelab/lab.json": strToU8(labFile),
    });

  test("become those of the links", () => {
    const settings = { both: { delay: "20ms" } };
    const document = { impairments: { settings, since_us: 0 } };
    const labFile = JSON.stringify({
      links: [
        { link_id: "l1", document },
        { link_id: "l2", document: {} },
      ],
    });
    expect(readTopologyFile("lab.gns3project", archiveWith(labFile)).links).toEqual([
      { link: "A:0 -- B:0", impairments: settings },
    ]);
  });

  test("are refused if the document is damaged", () => {
    expect(() => readTopologyFile("lab.gns3project", archiveWith("{"))).toThrow(
      "lab.gns3project: wirelab/lab.json is not JSON",
    );
  });
});
