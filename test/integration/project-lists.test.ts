/** The contents of each user's list of projects, and the items that are read for it. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Caller, user } from "../helpers/service/callers.ts";
import { freshName, makeLab } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

type Modules = {
  access: typeof import("../../functions/shared/edge/access.ts");
  project: typeof import("../../functions/shared/store/project/project.ts");
  seen: typeof import("../../functions/shared/store/project/seen.ts") &
    typeof import("../../functions/shared/store/project/list-seen.ts");
  table: typeof import("../../functions/shared/store/base/table.ts");
  transact: typeof import("../../functions/shared/store/base/transact.ts");
};
let modules: Modules;

beforeAll(async () => {
  modules = {
    access: await import("../../functions/shared/edge/access.ts"),
    project: await import("../../functions/shared/store/project/project.ts"),
    seen: {
      ...(await import("../../functions/shared/store/project/seen.ts")),
      ...(await import("../../functions/shared/store/project/list-seen.ts")),
    },
    table: await import("../../functions/shared/store/base/table.ts"),
    transact: await import("../../functions/shared/store/base/transact.ts"),
  };
});

const someone = (role: "viewer" | "editor" | "admin" = "editor") => {
  const name = freshName("user");
  return { name, caller: user(name, role) };
};

async function makeProject(owner: Caller, sharedWith: readonly string[] = [], fields = {}): Promise<string> {
  const shared_with = sharedWith.map((name) => ({ user: name, role: "viewer" }));
  const answer = await owner.post("/projects", { name: freshName(), shared_with, ...fields });
  expect(answer.status).toBe(201);
  return answer.json.project_id;
}

const share = (owner: Caller, id: string, users: readonly string[]) =>
  owner.put(`/projects/${id}`, { shared_with: users.map((name) => ({ user: name, role: "viewer" })) });

/** The caller's list, without projects that have no owner. */
const listOf = async (caller: Caller): Promise<string[]> => {
  const { json } = await caller.get("/projects");
  return json
    .filter(({ owner }: { owner: string | null }) => owner !== null)
    .map(({ project_id }: { project_id: string }) => project_id);
};

const seenBy = async (name: string): Promise<string[]> =>
  (await modules.seen.listSeenBy(name)).map(({ project_id }) => project_id);

const readProject = async (id: string) => (await modules.project.getProject(modules.access.SERVICE, id))!;

const dangling = async (id: string): Promise<string[]> =>
  (await danglingReferences(localStack())).filter((problem) => problem.includes(id));

describe("a page of the list of projects", () => {
  const nextOf = (headers: Record<string, unknown>): string | undefined =>
    /^<(projects\?[^>]*)>; rel="next"$/.exec(String(headers.link))?.[1];

  test("has at most so many, and the link to the next one; the pages together are the list", async () => {
    const { caller } = someone();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await makeProject(caller));
    const own = new Set(ids);
    const seen: string[] = [];
    let path: string | undefined = "projects?limit=2";
    while (path !== undefined) {
      const { status, json, headers } = await caller.get(`/${path}`);
      expect([status, json.length <= 2]).toEqual([200, true]);
      seen.push(...json.map(({ project_id }: { project_id: string }) => project_id));
      path = nextOf(headers as never);
    }
    expect(seen.filter((id) => own.has(id))).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
    const whole = await caller.get("/projects");
    expect(whole.json.map(({ project_id }: { project_id: string }) => project_id)).toEqual(seen);
    expect(nextOf(whole.headers as never)).toBeUndefined();
  });

  test("continues after a project that was deleted meanwhile", async () => {
    const { caller } = someone();
    const ids = [await makeProject(caller), await makeProject(caller), await makeProject(caller)];
    const [{ created_us }] = [await readProject(ids[1]!)];
    await caller.delete(`/projects/${ids[1]}`);
    const { json } = await caller.get(`/projects?limit=1000&after=${created_us}.${ids[1]}`);
    const rest = json.map(({ project_id }: { project_id: string }) => project_id);
    expect(rest).toContain(ids[2]);
    expect(rest).not.toContain(ids[0]);
  });

  test.each(["limit=0", "limit=1001", "limit=x", "after=now", "after=1.2"])(
    "with %s is refused",
    async (query) => {
      expect((await someone().caller.get(`/projects?${query}`)).status).toBe(400);
    },
  );
});

describe("a list of projects", () => {
  test("has the caller's own projects, shared ones and those without an owner, oldest first; an admin's has all", async () => {
    const [ann, bob, eve, root] = [someone(), someone(), someone(), someone("admin")];
    const first = await makeProject(ann.caller);
    const shared = await makeProject(bob.caller, [ann.name]);
    const bobs = await makeProject(bob.caller);
    const last = await makeProject(ann.caller, [ann.name]);
    const { projectId: everybodys } = await makeLab();

    expect(await listOf(ann.caller)).toEqual([first, shared, last]);
    expect(await listOf(bob.caller)).toEqual([shared, bobs]);
    expect(await listOf(eve.caller)).toEqual([]);
    const all = [first, shared, bobs, last];
    expect((await listOf(root.caller)).filter((id) => all.includes(id))).toEqual(all);
    for (const { caller } of [ann, eve, root]) {
      const ids = (await caller.get("/projects")).json.map((each: { project_id: string }) => each.project_id);
      expect(ids).toContain(everybodys);
    }
  });

  test("follows changes of sharing: names of any length, up to the maximum in one request", async () => {
    const owner = someone();
    const reader = someone("viewer");
    const long = "例".repeat(1_000);
    const crowd = (stem: string, size: number) => Array.from({ length: size }, (_, n) => `${stem}-${n}`);
    const id = await makeProject(owner.caller, [...crowd("first", 95), long]);
    expect(await listOf(user(long, "viewer"))).toEqual([id]);
    expect(await dangling(id)).toEqual([]);

    expect((await share(owner.caller, id, [...crowd("second", 95), reader.name])).status).toBe(200);
    expect(await listOf(reader.caller)).toEqual([id]);
    expect(await listOf(user("second-94", "viewer"))).toEqual([id]);
    expect(await listOf(user("first-0", "viewer"))).toEqual([]);
    expect(await dangling(id)).toEqual([]);
    expect((await share(owner.caller, id, crowd("third", 97))).status).toBe(400);

    const name = freshName();
    const shared_with = [{ user: "first-0", role: "editor" }];
    await owner.caller.put(`/projects/${id}`, { name, shared_with });
    expect(await listOf(user("first-0", "viewer"))).toEqual([id]);
    expect(await listOf(reader.caller)).toEqual([]);
    await owner.caller.put(`/projects/${id}`, { shared_with: [] });
    expect(await listOf(user("first-0", "viewer"))).toEqual([]);
  });

  test("keeps its entry when sharing is revoked and granted again at once", async () => {
    const owner = someone();
    const reader = someone("viewer");
    const id = await makeProject(owner.caller);
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        [[], [reader.name], [], [reader.name]].map((users) => share(owner.caller, id, users)),
      );
      const { shared_with } = (await owner.caller.get(`/projects/${id}`)).json;
      expect(await listOf(reader.caller)).toEqual(shared_with.length > 0 ? [id] : []);
    }
  });

  test("follows the project's item where the index is stale", async () => {
    const owner = someone();
    const [stranger, reader] = [someone(), someone()];
    const id = await makeProject(owner.caller, [reader.name]);
    const project = await readProject(id);
    await modules.transact.holdsAll(modules.seen.showTo(project, [stranger.name]));
    expect(await seenBy(stranger.name)).toContain(id);
    expect(await listOf(stranger.caller)).toEqual([]);

    await modules.project.markProjectDeleting(project);
    expect(await seenBy(reader.name)).toContain(id);
    expect(await listOf(reader.caller)).toEqual([]);
    expect(await listOf(owner.caller)).toEqual([]);
    expect((await owner.caller.delete(`/projects/${id}`)).status).toBe(204);
    expect(await seenBy(reader.name)).not.toContain(id);
  });

  test("is complete when it takes more than one batch", async () => {
    const owner = someone();
    const ids: string[] = [];
    for (let count = 0; count < 120; count++) ids.push(await makeProject(owner.caller));
    expect(await listOf(owner.caller)).toEqual(ids);
  });

  test("reads no project that the caller cannot see", async () => {
    const [rich, reader] = [someone(), someone("viewer")];
    const variables = Array.from({ length: 23 }, (_, n) => ({ name: `v${n}`, value: "x".repeat(4_000) }));
    for (let count = 0; count < 10; count++) await makeProject(rich.caller, [], { variables });
    const shared = await makeProject(rich.caller, [reader.name]);

    const { table, client } = modules.table;
    const spies = [vi.spyOn(table.getDocumentClient(), "send"), vi.spyOn(client, "send")];
    const { json } = await reader.caller.get("/projects");
    // biome-ignore lint/suspicious/noExplicitAny: commands of any kind
    const inputs = spies.flatMap(({ mock }) => mock.calls.map(([command]) => command.input as any));
    for (const spy of spies) spy.mockRestore();

    const listed = json.map((each: { project_id: string }) => each.project_id);
    expect(listed).toContain(shared);
    const queries = inputs.filter(({ IndexName }) => IndexName !== undefined);
    expect(queries.map(({ IndexName }) => IndexName)).toEqual(["seen", "seen"]);
    const read = inputs.flatMap(({ RequestItems = {} }) =>
      Object.values<{ Keys: { pk: { S: string } }[] }>(RequestItems).flatMap(({ Keys }) =>
        Keys.map(({ pk }) => pk.S),
      ),
    );
    expect(new Set(read)).toEqual(new Set(listed.map(modules.table.projectKey)));
  });
});
