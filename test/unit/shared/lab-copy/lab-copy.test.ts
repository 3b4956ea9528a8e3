import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  type LabCopy,
  packLab,
  parseLabCopy,
  unpackLab,
} from "../../../../functions/shared/lab-copy/lab-copy.ts";
import { withNewIds } from "../../../../functions/shared/lab-copy/new-ids.ts";
import { PROJECT_DEFAULTS } from "../../../../functions/shared/schemas/project.ts";

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const node = (number: number, index: number) => ({
  node_id: id(number),
  name: `PC${index + 1}`,
  status: "started" as const,
  index,
  document: {
    node_type: "vpcs",
    compute_id: "local",
    ports: [],
    properties: { startup_script: "dhcp" },
    symbol: ":/symbols/computer.svg",
    x: -20,
  },
  state: { device: { files: { "startup.vpc": "ip 10.0.0.1/24" } }, random: [1, 2] },
});

const {
  auto_close: _close,
  auto_open: _open,
  auto_start: _start,
  expires_at: _expiry,
  shared_with: _shares,
  ...settings
} = PROJECT_DEFAULTS;

const end = (number: number) => ({
  node_id: id(number),
  adapter_number: 0,
  port_number: 0,
  label: { text: "0/0" },
});

const LAB = {
  format: "wirelab-lab",
  version: 1,
  name: "lab",
  settings: { ...settings, zoom: 50 },
  clock_us: 1_767_225_600_000_000,
  nodes: [node(1, 0), node(2, 1)],
  links: [
    {
      link_id: id(3),
      link_type: "ethernet",
      document: {
        nodes: [end(1), end(2)],
        filters: { delay: [10, 0] },
        link_style: { width: 2 },
        suspend: true,
      },
      state: { "a-to-b": { packets: 3 } },
    },
  ],
  drawings: [{ drawing_id: id(4), x: 1, y: 2, z: 0, rotation: 90, locked: true, svg: "<svg/>" }],
  files: [
    {
      file_path: "README.txt",
      object_key: "files/p/o",
      content_type: "text/plain",
      etag: '"1"',
      size_bytes: 7,
      modified_ms: 1_767_225_600_000,
    },
  ],
} as unknown as LabCopy;

describe("the document of a lab", () => {
  test("is read as it was written", () => {
    expect(unpackLab(packLab(LAB), "snapshot")).toEqual(LAB);
  });

  test("may leave out the lab's clock, indexes and states", () => {
    const { clock_us: _clock, ...rest } = LAB;
    const nodes = LAB.nodes.map(({ state: _state, index: _index, ...others }) => others);
    const links = LAB.links.map(({ state: _state, ...others }) => others);
    expect(parseLabCopy({ ...rest, nodes, links })).toEqual({ ...rest, nodes, links });
  });

  test.each([
    ["bytes that are not compressed", Buffer.from(JSON.stringify(LAB))],
    ["half of it", packLab(LAB).subarray(0, 100)],
    ["another document", gzipSync('{"format": "other"}')],
    ["a later version", packLab({ ...LAB, version: 2 as 1 })],
    ["a node without a type", packLab({ ...LAB, nodes: [{ ...LAB.nodes[0]!, document: {} as never }] })],
    ["a link of three ends", packLab({ ...LAB, links: [threeEnds()] })],
  ])("is damaged when it is %s", (_what, bytes) => {
    expect(() => unpackLab(bytes, "snapshot s")).toThrow(
      expect.objectContaining({
        code: "store.damaged",
        facts: expect.objectContaining({ what: "snapshot s" }),
      }),
    );
  });
});

function threeEnds(): LabCopy["links"][number] {
  const [link] = LAB.links;
  const [first, second] = link!.document.nodes;
  return { ...link!, document: { ...link!.document, nodes: [first!, second!, first!] } };
}

test("new ids replace the old ones wherever these are named", () => {
  const copy = withNewIds(LAB, (old) => old.replace(/^0{8}/, "11111111"));
  const text = JSON.stringify(copy);
  expect(text).not.toContain("00000000-0000");
  expect(text.replaceAll("11111111-0000", "00000000-0000")).toBe(JSON.stringify(LAB));
});
