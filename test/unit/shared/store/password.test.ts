import { describe, expect, test } from "vitest";
import { passwordProblem } from "../../../../functions/shared/edge/password-rules.ts";
import {
  generatePassword,
  hashPassword,
  isPassword,
  type PasswordHash,
  UNKNOWN_USERS_HASH,
} from "../../../../functions/shared/store/user/password.ts";

describe("a password's hash", () => {
  test("matches the password and no other", async () => {
    const stored = await hashPassword("correct horse battery");
    expect(await isPassword("correct horse battery", stored)).toBe(true);
    for (const other of ["correct horse batterY", "correct horse battery ", ""]) {
      expect(await isPassword(other, stored), other).toBe(false);
    }
  });

  test("differs each time, and does not contain the password", async () => {
    const [one, other] = await Promise.all([hashPassword("the same"), hashPassword("the same")]);
    expect(one.salt).not.toBe(other.salt);
    expect(one.hash).not.toBe(other.hash);
    expect(JSON.stringify(one)).not.toContain("the same");
  });

  test("is scrypt's of RFC 7914, with the stored parameters", async () => {
    // RFC 7914, section 12: scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1), the first 32 bytes.
    const stored: PasswordHash = {
      salt: Buffer.from("SodiumChloride").toString("base64"),
      hash: Buffer.from("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2", "hex").toString(
        "base64",
      ),
      cost: 16_384,
      block_size: 8,
      parallelism: 1,
    };
    expect(await isPassword("pleaseletmein", stored)).toBe(true);
    expect(await isPassword("pleaseletmein", { ...stored, parallelism: 2 })).toBe(false);
  });

  test("is the same for composed and decomposed letters", async () => {
    const stored = await hashPassword("cafe\u0301 au lait");
    expect(await isPassword("caf\u00e9 au lait", stored)).toBe(true);
  });

  test("for unknown users has the parameters of any other, and matches no password", async () => {
    const { salt: _salt, hash: _hash, ...parameters } = await hashPassword("some password");
    expect(UNKNOWN_USERS_HASH).toMatchObject(parameters);
    expect(await isPassword("", UNKNOWN_USERS_HASH)).toBe(false);
  });
});

test("generated passwords differ, are long enough, and need no quotes", () => {
  const made = Array.from({ length: 100 }, generatePassword);
  expect(new Set(made).size).toBe(100);
  for (const password of made) {
    expect(password).toMatch(/^[\w-]{24}$/);
    expect(passwordProblem(password)).toBeNull();
  }
});
