/** Which tokens are admitted, with a stopped clock. */
import { expect, test } from "vitest";
import type { KnownUser } from "../../../functions/authorizer/find-user.ts";
import { makeSessionJudge } from "../../../functions/authorizer/session-judge.ts";
import { signToken, type TokenKey } from "../../../functions/shared/edge/session-token.ts";
import { generationOf, type PasswordHash } from "../../../functions/shared/store/user/password.ts";

const NOW_S = 1_800_000_000;
const password = (salt: string): PasswordHash => ({
  salt,
  hash: "aGFzaA==",
  cost: 2,
  block_size: 1,
  parallelism: 1,
});
const makeKey = (id: string): TokenKey => ({ id, bytes: new Uint8Array(32).fill(id.length) });

function makeService() {
  const state = {
    users: new Map<string, KnownUser>([["alice", { role: "editor", password: password("s1") }]]),
    keys: [makeKey("one")],
    nowMs: NOW_S * 1000,
    keyReads: 0,
  };
  const judge = makeSessionJudge({
    nowMs: () => state.nowMs,
    listKeys: async () => {
      state.keyReads += 1;
      return state.keys;
    },
    findUser: async (name) => state.users.get(name),
  });
  const session = { generation: generationOf(password("s1")), signedInS: NOW_S };
  const issue = (key = state.keys[0]!, user = "alice") =>
    signToken({ user, role: "editor", session }, key, NOW_S);
  return { state, judge, issue, session };
}

test("admits the user of a token with their role and session", async () => {
  const { judge, issue, session } = makeService();
  expect(await judge(await issue())).toEqual({ user: "alice", role: "editor", session });
});

test("refuses a token once its user has another password, another role, or is gone", async () => {
  const { judge, issue, state } = makeService();
  const token = await issue();
  state.users.set("alice", { role: "editor", password: password("s2") });
  expect(await judge(token)).toBe("revoked");
  state.users.set("alice", { role: "viewer", password: password("s1") });
  expect(await judge(token)).toBe("revoked");
  state.users.delete("alice");
  expect(await judge(token)).toBe("revoked");
  expect(await judge(await issue(undefined, "bob"))).toBe("revoked");
});

test("refuses a token that is expired, or is none", async () => {
  const { judge, issue, state } = makeService();
  const token = await issue();
  state.nowMs += 3_600_000;
  expect(await judge(token)).toBe("invalid");
  expect(await judge("a.b.c")).toBe("invalid");
});

test("reads the keys once a minute, and again for a key that was made since", async () => {
  const { judge, issue, state } = makeService();
  await judge(await issue());
  await judge(await issue());
  expect(state.keyReads).toBe(1);
  const next = makeKey("three");
  state.keys = [next, makeKey("one")];
  expect(await judge(await issue(next))).toMatchObject({ user: "alice" });
  expect(await judge(await issue(makeKey("one")))).toMatchObject({ user: "alice" });
  expect(state.keyReads).toBe(2);
  state.keys = [];
  expect(await judge(await issue(next))).toMatchObject({ user: "alice" });
  state.nowMs += 60_000;
  expect(await judge(await issue(next))).toBe("invalid");
});

test("refuses the token of a user who has expired meanwhile", async () => {
  const { judge, issue, state } = makeService();
  const token = await issue();
  const user = { role: "editor" as const, password: password("s1"), endMs: NOW_S * 1000 + 1 };
  state.users.set("alice", user);
  expect(await judge(token)).toMatchObject({ user: "alice" });
  state.nowMs += 1;
  expect(await judge(token)).toBe("expired");
});
