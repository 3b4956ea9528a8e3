import { beforeEach, expect, test, vi } from "vitest";
import { readToken } from "../../../functions/shared/edge/session-token.ts";
import { issueToken } from "../../../functions/tokens/issue.ts";

const KEY = { id: "k1", bytes: new Uint8Array(32).fill(7) };
vi.mock("../../../functions/shared/store/user/token-keys.ts", () => ({ signingKey: async () => KEY }));

const NOW_S = 1_800_000_000;
beforeEach(() => {
  vi.spyOn(Date, "now").mockReturnValue(NOW_S * 1000);
});

const issueTo = (caller: object) => issueToken({ access: { caller, needed: "viewer" } } as never);

test("issues a token with the caller's own role, for an hour", async () => {
  const session = { generation: "g", signedInS: NOW_S - 3_600 };
  const { status, body } = await issueTo({ name: "alice", role: "viewer", session });
  expect(status).toBe(201);
  expect(body).toMatchObject({ token_type: "Bearer", expires_in: 3_600, session_expires_in: 11 * 3_600 });
  const claims = await readToken(body.token, async () => KEY.bytes, NOW_S);
  expect(claims).toEqual({ user: "alice", role: "viewer", session });
});

test("renews a token no longer than the session lasts", async () => {
  const session = { generation: "g", signedInS: NOW_S - 12 * 3_600 + 90 };
  const { body } = await issueTo({ name: "alice", role: "viewer", session });
  expect(body).toMatchObject({ expires_in: 90, session_expires_in: 90 });
});

test("issues no token to a caller without a password, as those of issuers and of IAM", async () => {
  await expect(issueTo({ name: "alice", role: "admin" })).rejects.toThrow("issues no tokens");
});
