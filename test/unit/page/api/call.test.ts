/** Requests of the page: credentials that change while one is under way, and runs that outlast theirs. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

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
let paths: string[];
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
  paths = [];
  vi.stubGlobal("fetch", async (path: string, { headers }: { headers: Headers }) => {
    paths.push(path);
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

describe("a run that outlasts its request", () => {
  const RUN = { run_id: "r1", status: "running", elapsed: 0, answer: null, error: null };
  const START = "/projects/p/nodes/n/start";
  const begun = () => Response.json(RUN, { status: 202, headers: { location: "/v2/projects/p/runs/r1" } });
  const respondInTurn = (...ends: object[]) => {
    const answers = [begun(), Response.json(RUN), ...ends.map((end) => Response.json({ ...RUN, ...end }))];
    respond = () => answers.shift()!;
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is read at its address, less and less often, and its answer is that of the call", async () => {
    respondInTurn(RUN, RUN, { status: "finished", answer: { status: 200, body: { status: "started" } } });
    const beganMs = Date.now();
    const times: number[] = [];
    const answer = api.call("POST", START, { body: {} });
    while (paths.length < 5) {
      const before = paths.length;
      await vi.advanceTimersToNextTimerAsync();
      if (paths.length > before) times.push(Date.now() - beganMs);
    }
    expect(await answer).toEqual({ status: "started" });
    expect(paths).toEqual([`/v2${START}`, ...Array(4).fill("/v2/projects/p/runs/r1")]);
    const pauses = times.map((at, index) => at - (times[index - 1] ?? 0));
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses.at(-1)).toBeGreaterThan(pauses[0]!);
  });

  test("is nothing to return when its answer has no body", async () => {
    respondInTurn({ status: "finished", answer: { status: 204, body: null } });
    const answer = api.call("POST", "/projects/p/nodes/start", { body: {} });
    await vi.runAllTimersAsync();
    expect(await answer).toBeUndefined();
  });

  test("fails the call with its error", async () => {
    const error = { code: "node.no-linux-image", message: "Node L1 needs the image frr", status: 409 };
    respondInTurn({ status: "failed", error });
    const refused = expect(api.call("POST", START, { body: {} })).rejects.toMatchObject(error);
    await vi.runAllTimersAsync();
    await refused;
  });
});
