import { initialPcState } from "@wirelab/engine/devices/pc/state";
import { parseRouterProperties, type RouterSpec } from "@wirelab/engine/devices/router/index";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { RouterConfig } from "../../../../packages/engine/devices/router/services/base/config.ts";
import { initialRouterState } from "../../../../packages/engine/devices/router/shell/state.ts";
import { readGns3Project } from "../../../../packages/lab/topology/gns3project.ts";

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
  expect(links).toEqual([{ link: "A -- R:1" }]);
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
      { link: "A -- B", impairments: settings },
    ]);
  });

  test("are refused if the document is damaged", () => {
    expect(() => readTopologyFile("lab.gns3project", archiveWith("{"))).toThrow(
      "lab.gns3project: wirelab/lab.json is not JSON",
    );
  });
});

describe("an archive of the service, which has its lab in a document beside the project", () => {
  const R1 = node("r", "R1", "docker", { image: "wirelab/router:latest" });
  const PC1 = node("p", "PC1", "vpcs");
  const archive = (copies: readonly object[], nodes: readonly object[] = [R1, PC1]): Uint8Array =>
    zipSync({
      "project.gns3": strToU8(
        JSON.stringify({ variables: [{ name: "seed", value: "7" }], topology: { nodes, links: [] } }),
      ),
      "wirelab/lab.json": strToU8(JSON.stringify({ nodes: copies, links: [] })),
    });
  const copy = (node_id: string, node_type: string, properties: object, more: object = {}) => ({
    node_id,
    status: "stopped",
    document: { node_type, properties },
    ...more,
  });
  const read = (copies: readonly object[]) => readTopologyFile("lab.gns3project", archive(copies));

  test("keeps the services of routers, and servers, NAT nodes and Linux nodes", () => {
    const nodes = [
      R1,
      node("s", "S", "docker", { image: "wirelab/server" }),
      node("n", "N", "nat"),
      node("l", "L", "docker", { image: "wirelab/linux:frr" }),
    ];
    const copies = [
      copy("r", "router", { ports: [{ ipv4: "10.0.0.1/24" }], rip: {} }),
      copy("s", "server", { ipv4: "10.0.0.9/24", gateway: "10.0.0.1", http: { files: { "/": "hi" } } }),
      copy("n", "nat", { ports_mapping: [], internet: { "example.org": ["203.0.113.9"] } }),
      copy("l", "linux", {
        image: "wirelab/linux:frr",
        hostname: "edge",
        ports: [["10.0.0.2/24"]],
        files: {},
        commands: ["id"],
      }),
    ];
    expect(readTopologyFile("lab.gns3project", archive(copies, nodes))).toEqual({
      nodes: {
        R1: { type: "router", ports: ["10.0.0.1/24"], rip: {} },
        S: { type: "server", ip: "10.0.0.9/24", gateway: "10.0.0.1", http: { files: { "/": "hi" } } },
        N: { type: "nat", internet: { "example.org": ["203.0.113.9"] } },
        L: { type: "linux", image: "frr", hostname: "edge", ports: [["10.0.0.2/24"]], commands: ["id"] },
      },
      links: [],
      seed: "7",
    });
  });

  test("has the configuration that was typed at a console, also if it was not saved", () => {
    const spec: RouterSpec = {
      type: "router",
      name: "R1",
      mac: 0,
      ...parsed({ ports: [{ ipv4: "10.0.0.1/24" }] }),
    };
    const typed = parsed({ ports: [{ ipv4: "10.0.0.2/24" }] });
    const device = { ...initialRouterState(spec), running: typed };
    const pc = initialPcState({
      type: "vpcs",
      name: "PC1",
      index: 0,
      startupScript: "",
      ignoresChecksums: false,
    });
    const pcState = { ...pc, ipv4: { ...pc.ipv4, address: 0x0a00_0001, prefixLength: 24 } };
    const given = { ports: [{ ipv4: "10.0.0.1/24" }] };
    const portIn = (status: string) =>
      (read([copy("r", "router", given, { status, state: { device } })]).nodes.R1 as { ports: unknown[] })
        .ports;
    expect(portIn("started")).toEqual(["10.0.0.2/24"]);
    expect(portIn("stopped")).toEqual(["10.0.0.1/24"]);
    const pcIn = (script: string, status = "started") =>
      read([copy("p", "vpcs", { startup_script: script }, { status, state: { device: pcState } })]).nodes.PC1;
    expect(pcIn("")).toEqual({ type: "pc", ip: "10.0.0.1/24" });
    expect(pcIn("ip 10.0.0.1/24\nping 10.0.0.9")).toEqual({
      type: "pc",
      ip: "10.0.0.1/24",
      commands: ["ping 10.0.0.9"],
    });
    expect(pcIn("ip 10.0.0.7/24", "stopped")).toEqual({ type: "pc", ip: "10.0.0.7/24" });
  });

  test("leaves out what cannot run when it is asked to, with its links and a warning", () => {
    const nodes = [PC1, node("q", "Q", "qemu"), node("l", "L", "docker", { image: "wirelab/linux" })];
    const links = [{ link_id: "x", nodes: [side("p", 0, 0), side("q", 0, 0)] }];
    const bytes = zipSync({ "project.gns3": strToU8(JSON.stringify({ topology: { nodes, links } })) });
    const options = { leavesOut: true, cannotRun: ({ type }: { type: string }) => type === "linux" };
    expect(readGns3Project(bytes, "x.gns3project", options)).toEqual({
      nodes: { PC1: { type: "pc" } },
      links: [],
      warnings: [
        "Q is left out with its links: it is of the type qemu",
        "L is left out with its links: it is of the type docker with the image wirelab/linux",
      ],
    });
  });
});

function parsed(properties: object): RouterConfig {
  const result = parseRouterProperties(properties);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}
