import { beforeEach, describe, expect, test, vi } from "vitest";
import { STARTUP_FILE } from "../../../../packages/engine/devices/pc/saved-files.ts";
import { STARTUP_CONFIG_FILE } from "../../../../packages/engine/devices/router/shell/saved-config.ts";
import type { Link, Node } from "../../../../page/src/api/types.ts";

vi.stubGlobal("sessionStorage", { getItem: () => null });
const sent: { method: string; path: string; body: unknown }[] = [];
/** What the service has, by path. */
const files = new Map<string, string>();
class ApiProblem extends Error {
  status = 404;
}
const missing = () => Promise.reject(new ApiProblem("not there"));
let made = 0;
const call = async (method: string, path: string, { body }: { body?: unknown } = {}) => {
  if (method === "GET") return files.has(path) ? {} : missing();
  sent.push({ method, path, body: body instanceof Blob ? await body.text() : body });
  made += 1;
  return { ...(body as object), node_id: `n${made}`, link_id: `l${made}`, drawing_id: `d${made}` };
};
const send = async (_method: string, path: string) => {
  const text = files.get(path);
  return text === undefined ? missing() : { text: async () => text };
};
vi.doMock("../../../../page/src/api/call.ts", () => ({ ApiProblem, call, send }));
const load = (name: string) => import(`../../../../page/src/edit/${name}.ts`);
const { makeCopies } = await load("make-copies");
const { copiedNode, STARTUP_FILES } = await load("copied-node");

const pc = (id: string, script?: string) =>
  ({
    node_id: id,
    name: `PC${id}`,
    node_type: "vpcs",
    compute_id: "local",
    properties: script === undefined ? {} : { startup_script: script },
    custom_adapters: [],
    x: 10,
    y: 20,
  }) as unknown as Node;
const link = {
  link_id: "ab",
  nodes: ["1", "2"].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 })),
  filters: { delay: [5, 0] },
  suspend: true,
} as unknown as Link;
const lab = { path: "/to", putNode() {}, putLink() {}, putDrawing() {}, noteImpairments() {} };
const copy = (nodes: readonly Node[], links: readonly Link[] = []) =>
  makeCopies(
    lab,
    { path: "/from", nodes, links, drawings: [], impairments: { ab: { loss: 5 } } },
    { nodes: [], links: [], drawings: [] },
  );

beforeEach(() => {
  sent.length = 0;
  files.clear();
  made = 0;
});

describe("a copy of a device", () => {
  test("has its settings, beside it, and names of its own", () => {
    const node = {
      ...pc("7", "ip 10.0.0.1/24"),
      ...{ symbol: "s", console_auto_start: true, locked: true, status: "started", ports: [] },
    } as unknown as Node;
    const body = copiedNode(node);
    expect(body).toMatchObject({
      name: "PC{0}",
      properties: { startup_script: "ip 10.0.0.1/24" },
      symbol: "s",
      console_auto_start: true,
      x: 70,
      y: 80,
    });
    for (const own of ["node_id", "status", "ports", "locked", "console"])
      expect(body).not.toHaveProperty(own);
  });

  test("has MAC addresses of its own", () => {
    const node = {
      ...pc("1"),
      properties: { mac_address: "02:00:00:00:00:01", adapters: 2 },
      custom_adapters: [{ adapter_number: 0, mac_address: "02:00:00:00:00:02", port_name: "uplink" }],
    } as unknown as Node;
    expect(copiedNode(node)).toMatchObject({
      properties: { adapters: 2 },
      custom_adapters: [{ adapter_number: 0, port_name: "uplink" }],
    });
    expect(JSON.stringify(copiedNode(node))).not.toContain("mac");
  });

  test("starts with what the original has saved", async () => {
    files.set("/from/nodes/1/files/startup.vpc", "ip 10.0.0.9/24");
    expect(await copy([pc("1", "ip 10.0.0.1/24")])).toEqual([]);
    expect(sent.at(-1)).toEqual({
      method: "POST",
      path: "/to/nodes/n1/files/startup.vpc",
      body: "ip 10.0.0.9/24",
    });
  });

  test("gets no file if the original has saved none", async () => {
    files.set("/from/nodes/1/files/startup.vpc", "ip 10.0.0.1/24");
    files.set("/from/nodes/2", "");
    expect(await copy([pc("1", "ip 10.0.0.1/24"), pc("2")])).toEqual([]);
    expect(sent.map(({ path }) => path)).toEqual(["/to/nodes", "/to/nodes"]);
  });

  test("of a device that is gone lacks its files, and is named", async () => {
    expect(await copy([pc("1")])).toEqual(["PC{0}"]);
  });

  test("has the links among the originals, with filters and impairments", async () => {
    files.set("/from/nodes/1", "").set("/from/nodes/2", "");
    await copy([pc("1"), pc("2")], [link]);
    expect(sent.slice(2)).toEqual([
      {
        method: "POST",
        path: "/to/links",
        body: {
          nodes: ["n1", "n2"].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 })),
          filters: { delay: [5, 0] },
          suspend: true,
        },
      },
      { method: "PUT", path: "/to/links/l3/impairments", body: { loss: 5 } },
    ]);
  });
});

test("the files with which devices start have the names that the engine gives them", () => {
  expect(STARTUP_FILES).toEqual({ vpcs: STARTUP_FILE, router: STARTUP_CONFIG_FILE });
});
