import { describe, expect, test } from "vitest";
import { user } from "../helpers/service/callers.ts";
import { addLink, addNode, client, end, freshName, type Lab, makeLab } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";

const stack = localStack();

interface Original extends Lab {
  readonly name: string;
  readonly first: string;
}

/** Two running PCs, one with a saved file, behind a switch; a drawing, a file and a snapshot of all of it. */
async function makeOriginal(): Promise<Original> {
  const name = freshName();
  const { json } = await client.post("/projects", {
    name,
    auto_start: true,
    zoom: 70,
    expires_at: "2099-01-01T00:00:00Z",
    shared_with: [{ user: "bob", role: "viewer" }],
  });
  const lab = { projectId: json.project_id, path: `/projects/${json.project_id}` };
  const first = await addNode(lab, { properties: { startup_script: "ip 10.0.0.1/24" } });
  const second = await addNode(lab, { properties: { startup_script: "ip 10.0.0.2/24" } });
  const hub = await addNode(lab, { name: "SW", node_type: "ethernet_switch" });
  const filters = { filters: { packet_loss: [0], delay: [5, 0] }, suspend: false };
  const link = await addLink(lab, [end(first), end(hub, 0)], filters);
  await addLink(lab, [end(second), end(hub, 1)]);
  await client.post(`${lab.path}/drawings`, { x: 3, svg: "<svg><g/></svg>" });
  await client.call("POST", `${lab.path}/files/README.txt`, { raw: "read me" });
  await client.post(`${lab.path}/nodes/start`);
  await client.post(`${lab.path}/nodes/${first}/console`, { commands: ["set echo on", "save kept"] });
  await client.post(`${lab.path}/links/${link}/start_capture`, {});
  await client.post(`${lab.path}/snapshots`, { name: "s" });
  return { ...lab, name, first };
}

const duplicate = async ({ path }: Lab, name: string) => {
  const { status, json } = await client.post(`${path}/duplicate`, { name, reset_mac_addresses: false });
  expect(status).toBe(201);
  return { ...json, path: `/projects/${json.project_id}`, projectId: json.project_id };
};

const listOf = async ({ path }: Lab, what: string) => (await client.get(`${path}/${what}`)).json;
const named = (nodes: { name: string }[], name: string) => nodes.find((node) => node.name === name) as never;

/** The nodes or drawings without their ids. */
const withoutIds = (parts: Record<string, unknown>[]) =>
  parts.map(({ node_id: _n, drawing_id: _d, project_id: _p, status: _s, ...part }) => part);

describe("a duplicate of a project", () => {
  test("is closed, has the lab under new ids, and leaves the original as it was", async () => {
    const original = await makeOriginal();
    const before = [await listOf(original, "nodes"), await listOf(original, "links")];
    const name = freshName();
    const copy = await duplicate(original, name);
    expect(copy).toMatchObject({
      name,
      status: "closed",
      zoom: 70,
      auto_start: false,
      auto_open: false,
      auto_close: false,
      expires_at: null,
      shared_with: [],
    });
    expect([await listOf(original, "nodes"), await listOf(original, "links")]).toEqual(before);
    const nodes = await listOf(copy, "nodes");
    expect(withoutIds(nodes)).toEqual(withoutIds(before[0]));
    expect(nodes.map(({ status }: { status: string }) => status)).toEqual(["stopped", "stopped", "started"]);
    const ids = new Set(before[0].map(({ node_id }: { node_id: string }) => node_id));
    expect(nodes.some(({ node_id }: { node_id: string }) => ids.has(node_id))).toBe(false);
    const links = await listOf(copy, "links");
    expect(links.map(({ filters }: { filters: unknown }) => filters)).toEqual([{ delay: [5, 0] }, {}]);
    expect(links.some(({ capturing }: { capturing: boolean }) => capturing)).toBe(false);
    expect(withoutIds(await listOf(copy, "drawings"))).toEqual(
      withoutIds(await listOf(original, "drawings")),
    );
    expect(String((await client.get(`${copy.path}/files/README.txt`)).bytes)).toBe("read me");
    expect(await listOf(copy, "stats")).toEqual({ drawings: 1, links: 2, nodes: 3, snapshots: 1 });
    expect(await danglingReferences(stack)).toEqual([]);
  });

  test("runs as the original does, with its saved files", async () => {
    const original = await makeOriginal();
    const copy = await duplicate(original, freshName());
    await client.post(`${copy.path}/open`);
    await client.post(`${copy.path}/nodes/start`);
    const { node_id } = named(await listOf(copy, "nodes"), "PC1") as { node_id: string };
    const { json } = await client.post(`${copy.path}/nodes/${node_id}/console`, {
      commands: ["ping 10.0.0.2 -c 1"],
    });
    expect(json.output).toMatch(/bytes from 10\.0\.0\.2/);
    expect((await client.get(`${copy.path}/nodes/${node_id}/files/kept.vpc`)).status).toBe(200);
    expect((await client.post(`${copy.path}/nodes`, vpcs)).json.name).toBe("PC3");
  });

  test("has snapshots of its own, which bring back its own nodes", async () => {
    const original = await makeOriginal();
    const copy = await duplicate(original, freshName());
    const nodes = (await listOf(copy, "nodes")).map(({ node_id }: { node_id: string }) => node_id);
    await client.delete(original.path);
    await client.post(`${copy.path}/open`);
    await client.delete(`${copy.path}/nodes/${nodes[0]}`);
    await client.call("POST", `${copy.path}/files/README.txt`, { raw: "other" });
    const [snapshot] = await listOf(copy, "snapshots");
    expect(snapshot.name).toBe("s");
    const restored = await client.post(`${copy.path}/snapshots/${snapshot.snapshot_id}/restore`, {});
    expect(restored.status).toBe(201);
    const found = (await listOf(copy, "nodes")).map(({ node_id }: { node_id: string }) => node_id);
    expect(found).toEqual(nodes);
    expect(String((await client.get(`${copy.path}/files/README.txt`)).bytes)).toBe("read me");
    await client.delete(copy.path);
    const left = (await objectKeys(stack)).filter((key) => key.includes(copy.projectId));
    expect(left).toEqual([]);
    expect(await danglingReferences(stack)).toEqual([]);
  });

  test("gets a number when the name is taken", async () => {
    const original = await makeOriginal();
    const names = [
      (await duplicate(original, original.name)).name,
      (await duplicate(original, original.name)).name,
    ];
    expect(names).toEqual([`${original.name}-1`, `${original.name}-2`]);
  });

  test("belongs to the caller, who must be allowed to change the original", async () => {
    const [alice, bob, carol] = [user("alice", "editor"), user("bob", "editor"), user("carol", "editor")];
    const shared_with = [
      { user: "bob", role: "editor" },
      { user: "carol", role: "viewer" },
    ];
    const { json } = await alice.post("/projects", { name: freshName(), shared_with });
    const path = `/projects/${json.project_id}/duplicate`;
    expect((await bob.post(path, { name: freshName() })).json).toMatchObject({
      owner: "bob",
      shared_with: [],
    });
    expect((await carol.post(path, { name: freshName() })).status).toBe(403);
  });

  test("is made once for one idempotency key", async () => {
    const original = await makeOriginal();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { name: freshName() };
    const made = [1, 2].map(() => client.call("POST", `${original.path}/duplicate`, { body, headers }));
    const answers = await Promise.all(made);
    const copies = answers.filter(({ status }) => status === 201).map(({ json }) => json.project_id);
    expect(new Set(copies).size).toBe(1);
  });

  test("is refused a path, and a request without a name is invalid", async () => {
    const lab = await makeLab();
    const withPath = await client.post(`${lab.path}/duplicate`, { name: freshName(), path: "/tmp/copy" });
    expect([withPath.status, withPath.json.code]).toEqual([403, "project.path-refused"]);
    expect((await client.post(`${lab.path}/duplicate`, {})).status).toBe(400);
  });
});

const vpcs = { name: "PC{0}", node_type: "vpcs", compute_id: "local" };

test("a project cannot be loaded from a file of the server", async () => {
  const { status, json } = await client.post("/projects/load", { path: "/projects/lab.gns3" });
  expect([status, json.code]).toEqual([403, "server.not-local"]);
  expect((await client.post("/projects/load", {})).status).toBe(400);
});
