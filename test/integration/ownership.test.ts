/**
 * Which users may call which route, and which projects they see: for every declared route, including new ones. Each route needs a lab of its
 * own in three tables, so a run of the tests draws the routes of these.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import { neededRole, type Route } from "../../functions/shared/edge/route.ts";
import { REFUSING } from "../bench/recipes.ts";
import { makePcap } from "../helpers/captures/pcap.ts";
import { drawn, drawOf } from "../helpers/cases/draw.ts";
import { type Caller, user } from "../helpers/service/callers.ts";
import { client, end, freshName, makePair, type Pair, uuid } from "../helpers/service/lab.ts";

const ROUTES = GROUPS.flatMap((group) =>
  Object.entries(group.routes).map(([name, route]: [string, Route]) => ({
    title: `${group.name}.${name}`,
    name,
    route,
  })),
);
/** An import creates the project, so it is no request about another's. */
const IN_PROJECTS = ROUTES.filter(
  ({ route, name }) => route.path.startsWith("/projects/{project_id}") && name !== "importProject",
);

/** A file of the project, and a file of its first node. */
const FILE = "startup.vpc";

/** A built-in template, which every stack has. */
const VPCS = "19021f99-e36f-394d-b4a1-8aaa902ab9cc";

/** A run that no project has: only labs with Linux nodes have runs that can be read. */
const RUN = uuid();

const draw = drawOf(6);

const alice = user("alice", "editor");
const bob = user("bob", "editor");
const carol = user("carol", "viewer");
const root = user("root", "admin");

interface Lab extends Pair {
  /** The stopped capture. */
  readonly capture_id: string;
  readonly drawing_id: string;
  readonly snapshot_id: string;
  readonly deletion_id: string;
}

/** A project of alice's with two PCs, a link, a stopped capture and a running one, and files. */
async function makeLab(sharedWith: unknown[] = [], owner = alice): Promise<Lab> {
  const { json: project } = await owner.post("/projects", { name: freshName(), shared_with: sharedWith });
  const path = `/projects/${project.project_id}`;
  const node = { name: "PC", node_type: "vpcs", compute_id: "local" };
  const first = (await owner.post(`${path}/nodes`, node)).json.node_id;
  const second = (await owner.post(`${path}/nodes`, node)).json.node_id;
  const linkId = (await owner.post(`${path}/links`, { nodes: [end(first), end(second)] })).json.link_id;
  const link = `${path}/links/${linkId}`;
  await owner.post(`${link}/start_capture`, {});
  await owner.call("POST", `${link}/replay`, { raw: makePcap(2) });
  await owner.post(`${link}/stop_capture`);
  await owner.post(`${link}/start_capture`, {});
  const { json: captures } = await owner.get(`${link}/captures`);
  for (const place of [path, `${path}/nodes/${first}`])
    await owner.call("POST", `${place}/files/${FILE}`, { raw: Buffer.from("set pcname A") });
  const { json: snapshot } = await owner.post(`${path}/snapshots`, { name: "s" });
  const [drawing, deleted] = [
    (await owner.post(`${path}/drawings`, {})).json,
    (await owner.post(`${path}/drawings`, {})).json,
  ];
  const deletion = (await owner.post(`${path}/deletions`, { drawings: [deleted.drawing_id] })).json;
  const ids = { projectId: project.project_id, path, first, second, linkId, link };
  return {
    ...ids,
    capture_id: captures[0].capture_id,
    drawing_id: drawing.drawing_id,
    snapshot_id: snapshot.snapshot_id,
    deletion_id: deletion.deletion_id,
  };
}

/** Input that passes the schema of the route, so that only the project can cause an error. */
function bodyOf(name: string, lab: Lab): { body?: unknown; raw?: Uint8Array } {
  const bodies: Record<string, unknown> = {
    createNode: { name: "PC", node_type: "vpcs", compute_id: "local" },
    createLink: { nodes: [end(lab.first, 1)] },
    runConsole: { commands: ["show"] },
    createSnapshot: { name: "t" },
    deleteParts: { nodes: [lab.first] },
    duplicateProject: { name: freshName() },
    loadProject: { path: "/lab.gns3" },
    runLab: { duration: 1 },
    createNodeFromTemplate: { x: 0, y: 0, compute_id: "local" },
    duplicateNode: { x: 0, y: 0 },
    resizeDisk: { drive_name: "hda", extend: 1024 },
    createTemplate: { name: freshName(), template_type: "vpcs", compute_id: "local" },
    createProject: { name: freshName() },
    createCompute: { protocol: "http", host: "h", port: 1, name: freshName() },
  };
  if (name === "replay") return { raw: makePcap(1) };
  if (name === "putSymbolRaw") return { raw: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') };
  if (name === "putProjectFile" || name === "putNodeFile") return { raw: Buffer.from("# A file") };
  return { body: bodies[name] ?? {} };
}

function pathOf({ path }: Route, lab: Lab): string {
  const values: Record<string, string> = {
    project_id: lab.projectId,
    node_id: lab.first,
    link_id: lab.linkId,
    capture_id: lab.capture_id,
    drawing_id: lab.drawing_id,
    snapshot_id: lab.snapshot_id,
    deletion_id: lab.deletion_id,
    compute_id: uuid(),
    run_id: RUN,
    sweep_id: RUN,
    template_id: VPCS,
    engine: "remote",
    namespace: "pr-12",
    emulator: "qemu",
    action: "images",
    symbol_id: "ownership.svg",
    file_path: FILE,
  };
  return path.replaceAll(/\{(\w+)\+?\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}} of ${path}`);
    return value;
  });
}

describe("another user's project", () => {
  test("is checked on more than 35 routes", () => expect(IN_PROJECTS.length).toBeGreaterThan(35));

  test.each(drawn(IN_PROJECTS, draw))(
    `$title returns the response for an unknown id${draw.note}`,
    async ({ name, route }) => {
      const lab = await makeLab();
      const call = (path: string) => bob.call(route.method, path, bodyOf(name, lab));
      const theirs = await call(pathOf(route, lab));
      const unknown = uuid();
      const none = await call(pathOf(route, { ...lab, projectId: unknown }));
      expect([theirs.status, none.status]).toEqual([404, 404]);
      expect(theirs.json.message).toBe(none.json.message.replace(unknown, lab.projectId));
      expect((await alice.get(lab.path)).json).toMatchObject({ owner: "alice", status: "opened" });
      expect((await alice.get(`${lab.path}/stats`)).json).toMatchObject({ nodes: 2, links: 1 });
      expect((await alice.get(`${lab.link}/captures`)).json).toMatchObject([
        { packets: 2, status: "stopped" },
        { packets: 0, status: "capturing" },
      ]);
    },
  );

  test("is listed only for its owner, for users it is shared with and for admins", async () => {
    const lab = await makeLab([{ user: "carol", role: "viewer" }]);
    const sees = async (caller: Caller) =>
      (await caller.get("/projects")).json.some(
        (each: { project_id: string }) => each.project_id === lab.projectId,
      );
    expect(await Promise.all([alice, carol, root, bob].map(sees))).toEqual([true, true, true, false]);
  });

  test("reserves its name and its id, and reveals nothing else", async () => {
    const lab = await makeLab();
    const { json } = await alice.get(lab.path);
    const byName = await bob.post("/projects", { name: json.name });
    expect([byName.status, byName.json]).toEqual([
      409,
      { code: "project.name-taken", message: `Project "${json.name}" already exists`, status: 409 },
    ]);
    const byId = await bob.post("/projects", { name: freshName(), project_id: lab.projectId });
    expect([byId.status, byId.json]).toEqual([
      409,
      { code: "project.id-taken", message: `Project ID ${lab.projectId} is taken`, status: 409 },
    ]);
    const own = await makeLab([], bob);
    const renamed = await bob.put(own.path, { name: json.name });
    expect([renamed.status, renamed.json.message]).toEqual([409, `Project "${json.name}" already exists`]);
  });

  test("cannot be reached by the ids of its contents through a project of the caller's own", async () => {
    const [theirs, own] = [await makeLab(), await makeLab([], bob)];
    const paths = [
      `/nodes/${theirs.first}`,
      `/nodes/${theirs.first}/links`,
      `/nodes/${theirs.first}/mac_table`,
      `/nodes/${theirs.first}/startup`,
      `/links/${theirs.linkId}`,
      `/links/${theirs.linkId}/available_filters`,
      `/links/${theirs.linkId}/captures`,
      `/links/${theirs.linkId}/captures/${theirs.capture_id}`,
      `/links/${own.linkId}/captures/${theirs.capture_id}`,
      `/links/${own.linkId}/captures/${theirs.capture_id}/pcap`,
      `/links/${own.linkId}/captures/${theirs.capture_id}/packets`,
      `/pcapng?links=${theirs.linkId}`,
      `/pcapng?captures=${theirs.capture_id}`,
    ];
    for (const path of paths) expect((await bob.get(`${own.path}${path}`)).status, path).toBe(404);
    const ends = { nodes: [end(own.first, 1), end(theirs.first, 1)] };
    expect((await bob.post(`${own.path}/links`, ends)).status).toBe(404);
    expect((await bob.put(own.link, { nodes: [end(theirs.first)] })).status).toBe(404);
    const replay = `${own.link}/replay?from=${theirs.first}`;
    expect((await bob.call("POST", replay, { raw: makePcap(1) })).status).toBe(404);
    const run = { duration: 1, consoles: [{ node_id: theirs.first, commands: ["show"] }] };
    expect((await bob.post(`${own.path}/run`, run)).status).toBeGreaterThanOrEqual(400);
    for (const [method, path] of [
      ["DELETE", `/nodes/${theirs.first}`],
      ["POST", `/nodes/${theirs.first}/start`],
      ["DELETE", `/links/${theirs.linkId}`],
      ["DELETE", `/links/${own.linkId}/captures/${theirs.capture_id}`],
    ] as const) {
      expect((await bob.call(method, `${own.path}${path}`)).status, path).toBe(404);
    }
    expect((await alice.get(`${theirs.path}/stats`)).json).toMatchObject({ nodes: 2, links: 1 });
    expect((await alice.get(`${theirs.link}/captures`)).json).toHaveLength(2);
  });

  test("shares ids of nodes and links with a new project of another user, which does not touch it", async () => {
    const theirs = await makeLab();
    const before = (await alice.get(`${theirs.path}/nodes/${theirs.first}`)).json;
    const own = await makeLab([], bob);
    const twin = { name: "Twin", node_type: "ethernet_hub", compute_id: "local", node_id: theirs.first };
    expect((await bob.post(`${own.path}/nodes`, twin)).json).toMatchObject({
      name: "Twin",
      project_id: own.projectId,
    });
    expect((await alice.get(`${theirs.path}/nodes/${theirs.first}`)).json).toEqual(before);
  });
});

describe("a project shared to read", () => {
  const reading = IN_PROJECTS.filter(({ route }) => neededRole(route) === "viewer");
  const writing = IN_PROJECTS.filter(({ route }) => neededRole(route) !== "viewer");

  test.each(drawn(writing, draw))(`rejects $title with 403${draw.note}`, async ({ name, route }) => {
    const lab = await makeLab([{ user: "bob", role: "viewer" }]);
    const { status, json } = await bob.call(route.method, pathOf(route, lab), bodyOf(name, lab));
    expect([status, json.message]).toEqual([403, "The project is shared with you to read only"]);
  });

  const endless = ["streamPcap", "followProject"];
  // They refuse the node of the lab, which is a PC.
  const ofSwitches = ["getMacTable", "getNodeState"];
  const shown = reading.filter(({ name }) => !ofSwitches.includes(name) && !endless.includes(name));

  test.each(drawn(shown, draw))(
    `gives $title the response that its owner gets${draw.note}`,
    async ({ name, route }) => {
      const lab = await makeLab([{ user: "bob", role: "viewer" }]);
      const [theirs, owners] = [await bob.get(pathOf(route, lab)), await alice.get(pathOf(route, lab))];
      expect([theirs.status, theirs.bytes.equals(owners.bytes)]).toEqual([owners.status, true]);
      if (!REFUSING.has(name)) expect(Object.keys(route.responses)).toContain(String(owners.status));
    },
  );
});

describe("sharing", () => {
  test("lets an editor change the project, within the caller's own role", async () => {
    const lab = await makeLab([
      { user: "bob", role: "editor" },
      { user: "carol", role: "editor" },
    ]);
    expect((await bob.post(`${lab.path}/nodes/start`)).status).toBe(204);
    expect((await bob.put(lab.path, { zoom: 7 })).json.zoom).toBe(7);
    expect((await carol.get(lab.path)).json.zoom).toBe(7);
    expect((await carol.put(lab.path, { zoom: 8 })).status).toBe(403);
  });

  test("can be changed by the owner and by admins only", async () => {
    const lab = await makeLab([{ user: "bob", role: "editor" }]);
    const more = [
      { user: "bob", role: "editor" },
      { user: "mallory", role: "editor" },
    ];
    const refused = await bob.put(lab.path, { shared_with: more });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      "Only the project's owner or an admin decides who shares it",
    ]);
    expect((await bob.put(lab.path, { shared_with: more.slice(0, 1), zoom: 3 })).json.zoom).toBe(3);
    expect((await root.put(lab.path, { shared_with: more })).json).toMatchObject({
      shared_with: more,
      owner: "alice",
    });
    expect((await alice.put(lab.path, { shared_with: [] })).json.shared_with).toEqual([]);
    expect((await bob.get(lab.path)).status).toBe(404);
  });

  test("is unchanged by an update that omits it", async () => {
    const shared_with = [{ user: "bob", role: "viewer" }];
    const lab = await makeLab(shared_with);
    expect((await alice.put(lab.path, { zoom: 5 })).json).toMatchObject({ zoom: 5, shared_with });
  });

  test.each([
    [{ owner: "bob" }],
    [{ shared_with: [{ user: "bob", role: "admin" }] }],
    [{ shared_with: [{ user: "", role: "viewer" }] }],
    [{ shared_with: "bob" }],
    [
      {
        shared_with: [
          { user: "bob", role: "viewer" },
          { user: "bob", role: "editor" },
        ],
      },
    ],
  ])("rejects %j", async (fields) => {
    const lab = await makeLab();
    expect((await alice.put(lab.path, fields)).status).toBe(400);
    expect((await alice.post("/projects", { name: freshName(), ...fields })).status).toBe(400);
  });

  test("ends the capture stream of a user it is revoked from, and no other stream", async () => {
    const lab = await makeLab([{ user: "bob", role: "viewer" }]);
    const [bobs, alices] = [await bob.follow(`${lab.link}/pcap`), await alice.follow(`${lab.link}/pcap`)];
    await alice.put(lab.path, { shared_with: [] });
    const bobsFile = await bobs.file;
    await alice.call("POST", `${lab.link}/replay`, { raw: makePcap(3) });
    await alice.post(`${lab.link}/stop_capture`);
    const [, capture] = (await alice.get(`${lab.link}/captures`)).json;
    const alicesFile = await alices.file;
    expect([bobsFile.length, alicesFile.length]).toEqual([24, capture.bytes]);
    expect(capture.packets).toBe(3);
  });
});

describe("a project without an owner", () => {
  test("belongs to all users, within their roles", async () => {
    const pair = await makePair();
    expect((await client.get(pair.path)).json.owner).toBeNull();
    expect((await bob.put(pair.path, { zoom: 9 })).json).toMatchObject({ owner: null, zoom: 9 });
    expect((await carol.get(pair.path)).json.zoom).toBe(9);
    expect((await carol.put(pair.path, { zoom: 1 })).status).toBe(403);
    const shared_with = [{ user: "carol", role: "viewer" }];
    expect((await bob.put(pair.path, { shared_with })).status).toBe(403);
  });
});

describe("roles", () => {
  const lab = makeLab();
  const rank = { public: 0, viewer: 1, editor: 2, admin: 3 } as const;

  test.each(ROUTES)("$title is rejected below its role, whatever it refers to", async ({ name, route }) => {
    const needed = neededRole(route);
    for (const role of ["viewer", "editor", "admin"] as const) {
      if (rank[role] >= rank[needed]) continue;
      const { status, json } = await user("dave", role).call(
        route.method,
        pathOf(route, await lab),
        bodyOf(name, await lab),
      );
      expect([status, json.message]).toEqual([403, `This takes the role ${needed}; yours is ${role}`]);
    }
  });

  test("only routes that change the service itself need an admin", () => {
    const admins = ROUTES.filter(({ route }) => neededRole(route) === "admin").map(({ name }) => name);
    expect(admins).toEqual(
      expect.arrayContaining(["createCompute", "updateCompute", "deleteCompute", "updateSimVm"]),
    );
    const open = ROUTES.filter(({ route }) => neededRole(route) === "public").map(({ name }) => name);
    expect(open.toSorted()).toEqual([
      "getDocs",
      "getDocsFile",
      "getOpenApi",
      "getPage",
      "getPageFile",
      "getVersion",
    ]);
  });

  test("docs/roles.md lists every route with another role than its method implies", () => {
    const page = readFileSync(new URL("../../docs/roles.md", import.meta.url), "utf8");
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    for (const { route } of ROUTES.filter(({ route: { role } }) => role !== undefined)) {
      const row = rows.find((line) => line.includes(`\`${route.method} ${route.path}\``));
      expect(row, `${route.method} ${route.path}`).toContain(
        route.role === "public" ? "| no credentials |" : `| \`${route.role}\` |`,
      );
    }
  });

  test("the OpenAPI document has the role of every route", async () => {
    const { paths } = (await client.get("/openapi.json")).json;
    for (const { route } of ROUTES) {
      const operation = paths[route.path.replace("+}", "}")][route.method.toLowerCase()];
      expect(operation["x-role"]).toBe(neededRole(route));
      expect("403" in operation.responses).toBe(neededRole(route) !== "public");
    }
  });
});
