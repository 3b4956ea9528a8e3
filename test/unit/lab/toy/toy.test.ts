/** A new node type is one module and its line in each table of the engine. */
import { LabFileError } from "@wirelab/lab/file/problem";
import { afterEach, expect, test, vi } from "vitest";

vi.mock(import("@wirelab/engine/devices/kinds"), async (original) => {
  const { KINDS } = await original();
  const { kind } = await import("./toy.ts");
  return { KINDS: [...KINDS, kind] } as never;
});
vi.mock(import("@wirelab/engine/devices/readers"), async (original) => {
  const { READERS } = await original();
  const { read } = await import("./toy.ts");
  return { READERS: { ...READERS, toy: read } } as never;
});
vi.mock(import("../../../../packages/engine/devices/makers.ts"), async (original) => {
  const { MAKERS } = await original();
  const { make } = await import("./toy.ts");
  return { MAKERS: { ...MAKERS, toy: make } } as never;
});

const { labJsonSchema } = await import("@wirelab/lab/file/json-schema");
const { parseLabFile } = await import("@wirelab/lab/read/parse-lab-file");
const { runLab } = await import("@wirelab/lab/run-lab");

const LAB = `
nodes:
  a: 10.0.0.1/24
  b: 10.0.0.2/24
  way: {type: repeater, delayed: true}
links: [a -- way:left, b -- way:right]
expect: [reach: a -> b]
`;

afterEach(() => vi.unstubAllGlobals());

test("a lab file has it: links name its ports, and frames pass it", () => {
  expect(runLab(parseLabFile(LAB, { name: "toy" })).status).toBe("passed");
});

test("the interface's name of the type is a type of a lab file, too", () => {
  expect(parseLabFile("nodes: {a: toy}", { name: "toy" }).nodes[0]?.spec.type).toBe("toy");
});

test("a wrong property is reported in its place", () => {
  const read = () => parseLabFile(LAB.replace("true", "7"), { name: "toy" });
  expect(read).toThrow(LabFileError);
  expect(read).toThrow(/way.*delayed.*must be true or false/s);
});

test("a misspelled type has it among the suggestions, and editors read of it", () => {
  expect(() => parseLabFile("nodes: {a: repeatr}", { name: "toy" })).toThrow(/repeater/);
  expect(JSON.stringify(labJsonSchema())).toContain("cloud, repeater");
});

test("the page makes it", async () => {
  const place = { href: "http://127.0.0.1/v2/page/", origin: "http://127.0.0.1", pathname: "/v2/page/" };
  const storage = { getItem: () => null, setItem() {}, removeItem() {} };
  const sent: unknown[] = [];
  vi.stubGlobal("location", { ...place, hash: "", search: "" });
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string | Blob } = {}) => {
    // The tests of the lab.
    if (body instanceof Blob) return new Response("");
    const given = body === undefined ? {} : JSON.parse(body);
    if (String(url).endsWith("/nodes")) sent.push(given);
    const ports = [0, 1].map((port_number) => ({ adapter_number: 0, port_number }));
    const answer = { ...given, project_id: "p", node_id: given.name, link_id: "l", ports };
    const text = JSON.stringify(body === undefined ? [] : answer);
    return new Response(text, { headers: { "content-type": "application/json" } });
  });
  const { buildLab } = await import("../../../../page/src/labs/build-lab.ts" as string);
  await buildLab("toy.lab.yaml", new TextEncoder().encode(LAB));
  expect(sent[2]).toMatchObject({
    node_type: "toy",
    name: "way",
    symbol: ":/symbols/hub.svg",
    properties: { delayed: true },
  });
});
