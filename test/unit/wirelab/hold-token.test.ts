import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdToken } from "../../../packages/wirelab/service/hold-token.ts";
import { findService } from "../../../packages/wirelab/service/service.ts";

const BASIC = `Basic ${btoa("admin:pw")}`;
let sent: (string | null)[];
let answers: ((authorization: string | null) => Response)[];
const issue = (token: string) => () => Response.json({ token, expires_in: 3_600 }, { status: 201 });
const refuse = () => Response.json({ code: "access.credentials" }, { status: 401 });

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  vi.stubGlobal(
    "fetch",
    async (
      url: string,
      { method, headers }: { method: string; headers: ConstructorParameters<typeof Headers>[0] },
    ) => {
      expect([method, url]).toEqual(["POST", "http://127.0.0.1:3080/v2/tokens"]);
      const authorization = new Headers(headers).get("authorization");
      sent.push(authorization);
      return answers.shift()!(authorization);
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const service = (environment: Record<string, string> = { WIRELAB_PASSWORD: "pw" }) =>
  findService({}, environment);

test("a command sends a token in place of the password, and renews it while it runs", async () => {
  const found = service();
  answers = [issue("t1"), issue("t2")];
  await holdToken(found);
  expect(found.headers).toEqual({ authorization: "Bearer t1" });
  await vi.advanceTimersByTimeAsync(1_800_000);
  expect(found.headers).toEqual({ authorization: "Bearer t2" });
  expect(sent).toEqual([BASIC, "Bearer t1"]);
});

test("a session that has ended is begun anew with the password, also after a failure", async () => {
  const found = service();
  answers = [issue("t1"), refuse, refuse, refuse, issue("t2")];
  await holdToken(found);
  await vi.advanceTimersByTimeAsync(1_800_000);
  expect(found.headers).toEqual({ authorization: "Bearer t1" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(found.headers).toEqual({ authorization: "Bearer t2" });
  expect(sent).toEqual([BASIC, "Bearer t1", BASIC, "Bearer t1", BASIC]);
});

test.each([
  ["issues no tokens", () => Response.json({ code: "token.not-issued" }, { status: 409 })],
  ["is of an earlier release", () => new Response("", { status: 404 })],
  ["refuses the password", refuse],
  [
    "does not answer",
    () => {
      throw new TypeError("fetch failed");
    },
  ],
])("the password is sent as before to a service that %s", async (_which, answer) => {
  const found = service();
  answers = [answer];
  await holdToken(found);
  expect(found.headers).toEqual({ authorization: BASIC });
});

test("nothing is exchanged without a password", async () => {
  answers = [];
  await holdToken(service({ WIRELAB_TOKEN: "t" }));
  await holdToken(service({}));
  expect(sent).toEqual([]);
});
