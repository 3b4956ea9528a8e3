/** Signing in with a password, for which the page keeps a token, and again when that has ended. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settles } from "../../../helpers/settles.ts";

/** Loads a module that is written for browsers; these tests do not have its types. */
const loadApi = (name: string) => import(`../../../../page/src/api/${name}.ts`);
const loadSignIn = (name: string) => import(`../../../../page/src/sign-in/${name}.ts`);

let stored: Map<string, string>;
let password: { signInByPassword(user: string, password: string): Promise<void>; continueSession(): void };
let session: {
  signInNeeded: { readonly value: boolean };
  sessionNumber: { readonly value: number };
  currentAuthorization(): Promise<string | null>;
  signOut(): void;
};
let api: { call(method: string, path: string, options?: object): Promise<unknown> };
/** `POST /v2/tokens Basic ...` */
let sent: string[];
let issued: number;
let answer: (authorization: string | null) => Response;

const HOUR_MS = 3_600_000;
const refusal = () => Response.json({ code: "access.credentials", message: "no" }, { status: 401 });
const BASIC = `Basic ${btoa("alice:right")}`;

async function loadPage(): Promise<void> {
  vi.resetModules();
  session = await loadApi("session");
  api = await loadApi("call");
  password = await loadSignIn("password");
}

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  stored = new Map();
  sent = [];
  issued = 0;
  answer = () => Response.json({ done: true });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal(
    "fetch",
    async (
      path: string,
      { method, headers }: { method: string; headers: ConstructorParameters<typeof Headers>[0] },
    ) => {
      const authorization = new Headers(headers).get("authorization");
      sent.push(`${method} ${path} ${authorization}`);
      if (path !== "/v2/tokens") return answer(authorization);
      if (authorization?.startsWith("Basic") && authorization !== BASIC) return refusal();
      issued += 1;
      return Response.json(
        { token: `t${issued}`, expires_in: 3_600, session_expires_in: 43_200 },
        { status: 201 },
      );
    },
  );
  await loadPage();
});

afterEach(() => {
  vi.useRealTimers();
});

test("sends the password once, and keeps only a token", async () => {
  await password.signInByPassword("alice", "right");
  await api.call("GET", "/projects");
  expect(sent).toEqual([`POST /v2/tokens ${BASIC}`, "GET /v2/projects Bearer t1"]);
  expect([...stored.values()].join()).not.toContain(btoa("alice:right").slice(0, 8));
});

test("a wrong password changes nothing", async () => {
  await expect(password.signInByPassword("alice", "wrong")).rejects.toMatchObject({ status: 401 });
  expect([...stored]).toEqual([]);
});

test("renews the token before it expires, once for requests at the same time, and after the page was loaded again", async () => {
  await password.signInByPassword("alice", "right");
  vi.setSystemTime(Date.now() + HOUR_MS - 19 * 60_000);
  expect(await Promise.all([session.currentAuthorization(), session.currentAuthorization()])).toEqual([
    "Bearer t2",
    "Bearer t2",
  ]);
  await loadPage();
  password.continueSession();
  expect(await session.currentAuthorization()).toBe("Bearer t2");
  vi.setSystemTime(Date.now() + HOUR_MS - 19 * 60_000);
  expect(await session.currentAuthorization()).toBe("Bearer t3");
});

test("renews the token of a tab that sends no requests", async () => {
  await password.signInByPassword("alice", "right");
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(issued).toBe(2);
});

test("a refused request waits until its user has signed in again, and is then sent once, while the view stays", async () => {
  await password.signInByPassword("alice", "right");
  const view = session.sessionNumber.value;
  answer = (authorization) => (authorization === "Bearer t1" ? refusal() : Response.json({ done: true }));
  sent = [];
  const changing = api.call("POST", "/projects", { body: {} });
  await settles(() => expect(session.signInNeeded.value).toBe(true));
  await password.signInByPassword("alice", "right");
  expect(await changing).toEqual({ done: true });
  expect(sent).toEqual([
    "POST /v2/projects Bearer t1",
    `POST /v2/tokens ${BASIC}`,
    "POST /v2/projects Bearer t2",
  ]);
  expect(session.sessionNumber.value).toBe(view);
  expect(session.signInNeeded.value).toBe(false);
});

test("a refused request fails when the user signs out instead, or gives it up", async () => {
  await password.signInByPassword("alice", "right");
  answer = refusal;
  const leaving = new AbortController();
  const given = api.call("GET", "/projects", { signal: leaving.signal });
  const changing = api.call("PUT", "/projects/1", { body: {} });
  await settles(() => expect(session.signInNeeded.value).toBe(true));
  leaving.abort();
  await expect(given).rejects.toMatchObject({ status: 401 });
  session.signOut();
  await expect(changing).rejects.toMatchObject({ status: 401 });
});

test("a POST is repeated when its credentials could not be checked, after the time that the service names, and else is not", async () => {
  await password.signInByPassword("alice", "right");
  const busy = (code: string) =>
    Response.json({ code, message: "busy" }, { status: 503, headers: { "retry-after": "2" } });
  const answers = [busy("gateway.undecided"), Response.json({ done: true }), busy("store.busy")];
  answer = () => answers.shift()!;
  sent = [];
  const changing = api.call("POST", "/projects", { body: {} });
  await vi.advanceTimersByTimeAsync(1_900);
  expect(sent.length).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await changing).toEqual({ done: true });
  await expect(api.call("POST", "/projects", { body: {} })).rejects.toMatchObject({ code: "store.busy" });
});
