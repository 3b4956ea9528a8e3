/** Requests of the page whose credentials change while they are under way. */
import { beforeEach, expect, test, vi } from "vitest";

interface Api {
  call(method: string, path: string, options?: { readonly body?: unknown }): Promise<unknown>;
}

interface Session {
  readonly signInNeeded: { readonly value: boolean };
  signIn(authorization: string): void;
  signOut(): void;
}

/** Loads a module that is written for browsers, whose types these tests do not have. */
const load = (path: string) => import(`../../../../page/src/api/${path}.ts`);

let api: Api;
let session: Session;
/** The headers Authorization of the requests, in their order. */
let sent: (string | null)[];
let respond: (authorization: string | null) => Response | Promise<Response>;

const refusal = () => Response.json({ message: "no" }, { status: 401 });

beforeEach(async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  sent = [];
  vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get("authorization"));
    return respond(headers.get("authorization"));
  });
  vi.resetModules();
  session = await load("session");
  api = await load("call");
});

test("repeats a refused request with the credentials that arrived meanwhile, and does not ask the user to sign in", async () => {
  respond = (authorization) => {
    if (authorization === "Bearer new") return Response.json({ done: true });
    session.signIn("Bearer new");
    return refusal();
  };
  expect(await api.call("POST", "/projects", { body: {} })).toEqual({ done: true });
  expect(sent).toEqual([null, "Bearer new"]);
  expect(session.signInNeeded.value).toBe(false);
});

test("asks the user to sign in when the service refuses the credentials of now", async () => {
  session.signIn("Bearer old");
  respond = refusal;
  await expect(api.call("GET", "/projects")).rejects.toMatchObject({ status: 401, message: "no" });
  expect(sent).toEqual(["Bearer old"]);
  expect(session.signInNeeded.value).toBe(true);
});

test("asks the user to sign in when the service refuses the new credentials, too", async () => {
  respond = () => {
    session.signIn("Bearer new");
    return refusal();
  };
  await expect(api.call("GET", "/projects")).rejects.toMatchObject({ status: 401 });
  expect(sent).toEqual([null, "Bearer new"]);
  expect(session.signInNeeded.value).toBe(true);
});

test("does not repeat a request of a user who has signed out meanwhile", async () => {
  session.signIn("Bearer old");
  respond = () => {
    session.signOut();
    return refusal();
  };
  await expect(api.call("GET", "/projects")).rejects.toMatchObject({ status: 401 });
  expect(sent).toEqual(["Bearer old"]);
});
