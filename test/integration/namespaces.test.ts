/** Namespaces: their users and projects, over the service's table; test/unit/authorizer has the sign-in. */
import { describe, expect, test } from "vitest";
import { Caller, user } from "../helpers/service/callers.ts";
import { client, freshName } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

const { endNamespace, getNamespace } = await import("../../functions/shared/store/user/namespace.ts");
const { isPassword } = await import("../../functions/shared/store/user/password.ts");
const { sweep } = await import("../../functions/sweeper/sweep.ts");

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An admin who has signed in with a password. */
const admin = new Caller({
  authorizer: { user: "root", role: "admin", principalId: "root", generation: "g", signed_in_s: 1 },
});

interface Namespace {
  readonly name: string;
  readonly path: string;
  readonly password: string;
  /** Its user. */
  readonly user: Caller;
}

async function make(body: object = {}): Promise<Namespace> {
  const name = freshName("pr");
  const path = `/namespaces/${name}`;
  const { status, json } = await admin.put(path, body);
  expect(status).toBe(200);
  return { name, path, password: json.password, user: user(json.user, "editor") };
}

const makeProject = async (by: Caller, name: string): Promise<string> => {
  const { status, json } = await by.post("/projects", { name });
  expect(status, JSON.stringify(json)).toBe(201);
  return `/projects/${json.project_id}`;
};
const namesOf = async (by: Caller): Promise<string[]> =>
  (await by.get("/projects")).json.map(({ name }: { name: string }) => name);
const statusOf = async (path: string): Promise<number> => (await admin.get(path)).status;

const sweepAfter = (afterMs: number) =>
  sweep({ nowMs: Date.now() + afterMs, abandonedMs: 30 * DAY_MS, remainingTimeMs: () => 600_000 });

describe("a namespace", () => {
  test("is made with a password of its own, of which the hash is stored, and ends in seven days", async () => {
    const name = freshName("pr");
    const { json } = await admin.put(`/namespaces/${name}`, {});
    expect(json).toMatchObject({
      name,
      user: `${name}@namespaces`,
      url: expect.stringMatching(/^http.*\/v2$/),
    });
    const daysLeft = (Date.parse(json.expires_at) - Date.now()) / DAY_MS;
    expect(daysLeft).toBeGreaterThan(6.9);
    expect(daysLeft).toBeLessThanOrEqual(7);
    const stored = (await getNamespace(name))!;
    expect(await isPassword(json.password, stored.password)).toBe(true);
    expect(JSON.stringify(stored)).not.toContain(json.password);
    const { password: _password, ...shown } = json;
    expect((await admin.get(`/namespaces/${name}`)).json).toEqual(shown);
  });

  test("that is made again has another password and end, and keeps its projects and its birth", async () => {
    const { path, password, user } = await make();
    const project = await makeProject(user, "lab");
    const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
    const before = (await admin.get(path)).json;
    const { json } = await admin.put(path, { expires_at });
    expect(json).toMatchObject({ expires_at, created_at: before.created_at });
    expect(json.password).not.toBe(password);
    expect((await user.get(project)).status).toBe(200);
  });

  test.each([
    [{ expires_at: "2020-01-01T00:00:00Z" }, "is not in the future"],
    [{ expires_at: new Date(Date.now() + 91 * DAY_MS).toISOString() }, "is more than 90 days from now"],
    [{ expires_at: "tomorrow" }, ""],
    [{ password: "chosen by the caller" }, ""],
  ])("is refused with %j", async (body, message) => {
    const { status, json } = await admin.put(`/namespaces/${freshName("pr")}`, body);
    expect(status).toBe(400);
    expect(json.errors[0].message).toContain(message);
  });

  test.each(["a~b", "-a", "a%20b", "x".repeat(41)])("has no name such as %s", async (name) => {
    const { status, json } = await admin.put(`/namespaces/${name}`, {});
    expect({ status, json }).toMatchObject({ status: 400, json: { errors: [{ path: "namespace" }] } });
  });

  test("is for admins alone, in stacks that check passwords", async () => {
    const { path, user: ours } = await make();
    for (const by of [ours, user("ann", "editor")])
      for (const method of ["GET", "PUT", "DELETE"])
        expect((await by.call(method, path, { body: {} })).json.code).toBe("access.role");
    const { status, json } = await client.put(path, {});
    expect({ status, json }).toMatchObject({ status: 409, json: { code: "namespace.no-passwords" } });
  });

  test("that does not exist, or has ended, is not found", async () => {
    for (const call of [admin.get, admin.delete])
      expect((await call(`/namespaces/${freshName("pr")}`)).json.code).toBe("namespace.not-found");
    const { name, path } = await make();
    await endNamespace(name, new Date().toISOString());
    expect((await admin.get(path)).json.code).toBe("namespace.not-found");
  });
});

describe("the projects of a namespace", () => {
  test("have names that others use as well, and names of their own once", async () => {
    const [one, other] = [await make(), await make()];
    const name = freshName();
    await makeProject(user("ann", "editor"), name);
    const project = await makeProject(one.user, name);
    await makeProject(other.user, name);
    expect((await one.user.post("/projects", { name })).json.code).toBe("project.name-taken");
    expect((await one.user.get(project)).json).toMatchObject({ name, owner: `${one.name}@namespaces` });

    const renamed = freshName();
    expect((await one.user.put(project, { name: renamed })).status).toBe(200);
    await makeProject(one.user, name);
    expect((await one.user.post("/projects", { name: renamed })).json.code).toBe("project.name-taken");
    const { json: copy } = await one.user.post(`${project}/duplicate`, { name: freshName() });
    expect(copy.owner).toBe(`${one.name}@namespaces`);
    await one.user.delete(project);
    await makeProject(one.user, renamed);
  });

  test("are all that its user sees", async () => {
    const { name, user: ours } = await make();
    const own = freshName();
    await makeProject(ours, own);
    // Without an owner, and shared with the user.
    const { json: everybodys } = await client.post("/projects", { name: freshName() });
    const shared_with = [{ user: `${name}@namespaces`, role: "editor" }];
    const { json: shared } = await user("ann", "editor").post("/projects", {
      name: freshName(),
      shared_with,
    });
    expect(await namesOf(ours)).toEqual([own]);
    for (const { project_id } of [everybodys, shared]) {
      expect((await ours.get(`/projects/${project_id}`)).json.code).toBe("project.not-found");
      expect((await ours.delete(`/projects/${project_id}`)).json.code).toBe("project.not-found");
    }
    expect(await namesOf(admin)).toContain(own);
  });

  test("are deleted with it, and others stay", async () => {
    const [one, other] = [await make(), await make()];
    const projects = [await makeProject(one.user, "a"), await makeProject(one.user, "b")];
    const kept = await makeProject(other.user, "a");
    await one.user.post(`${projects[0]}/nodes`, { name: "PC1", node_type: "vpcs", compute_id: "local" });
    expect((await admin.delete(one.path)).status).toBe(204);
    expect(await Promise.all([...projects, kept].map(statusOf))).toEqual([404, 404, 200]);
    // A repetition finds what a request has made that was admitted before.
    const late = await makeProject(one.user, "late");
    expect((await admin.delete(one.path)).status).toBe(204);
    expect(await statusOf(late)).toBe(404);
    expect((await admin.get(one.path)).status).toBe(404);
    const [projectId] = projects[0]!.split("/").slice(-1);
    expect(await danglingReferences(localStack())).not.toContainEqual(expect.stringContaining(projectId!));
  });
});

describe("the sweeper", () => {
  test("deletes the projects of a namespace that has ended, and hours later the namespace", async () => {
    const end = (afterMs: number) => ({ expires_at: new Date(Date.now() + afterMs).toISOString() });
    const [ended, lasting] = [await make(end(HOUR_MS)), await make(end(30 * HOUR_MS))];
    const [gone, kept] = [await makeProject(ended.user, "a"), await makeProject(lasting.user, "a")];
    await sweepAfter(0);
    expect(await Promise.all([gone, kept].map(statusOf))).toEqual([200, 200]);
    await sweepAfter(1.5 * HOUR_MS);
    expect(await Promise.all([gone, kept].map(statusOf))).toEqual([404, 200]);
    expect(await getNamespace(ended.name)).toBeDefined();
    // The gateway has kept the sign-in.
    const late = await makeProject(ended.user, "late");
    await sweepAfter(3.5 * HOUR_MS);
    expect(await statusOf(late)).toBe(404);
    expect(await getNamespace(ended.name)).toBeUndefined();
    expect(await getNamespace(lasting.name)).toBeDefined();
  });
});
