/** The hash functions of the engine: the vectors of their RFCs, and any data as Node's. */
import { createHash, createHmac } from "node:crypto";
import { hmac } from "@wirelab/engine/base/hash/hmac";
import { MD5 } from "@wirelab/engine/base/hash/md5";
import type { Hash } from "@wirelab/engine/base/hash/pad";
import { SHA1 } from "@wirelab/engine/base/hash/sha1";
import { SHA256, SHA384, SHA512 } from "@wirelab/engine/base/hash/sha2";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../wire/hex.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const HASHES: readonly (readonly [string, Hash])[] = [
  ["md5", MD5],
  ["sha1", SHA1],
  ["sha256", SHA256],
  ["sha384", SHA384],
  ["sha512", SHA512],
];

describe("MD5 has the results of RFC 1321, appendix A.5", () => {
  it.each([
    ["", "d41d8cd98f00b204e9800998ecf8427e"],
    ["a", "0cc175b9c0f1b6a831c399e269772661"],
    ["abc", "900150983cd24fb0d6963f7d28e17f72"],
    ["message digest", "f96b697d7cb7938d525a2f31aaf161d0"],
    ["abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"],
    [
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a",
    ],
  ])("for %j", (text, digest) => {
    expect(toHex(MD5.digest(bytes(text)))).toBe(digest);
  });
});

describe("the SHA functions have the results of FIPS 180 for abc", () => {
  it.each([
    [SHA1, "a9993e364706816aba3e25717850c26c9cd0d89d"],
    [SHA256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      SHA384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
    ],
    [
      SHA512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ],
  ])("%#", (hash, digest) => {
    expect(toHex(hash.digest(bytes("abc")))).toBe(digest);
  });
});

describe("HMAC has the results of RFC 2202 and RFC 4231", () => {
  it.each([
    [MD5, "4a656665", "what do ya want for nothing?", "750c783e6ab0b503eaa86e310a5db738"],
    [SHA1, "4a656665", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"],
    [
      SHA256,
      "aa".repeat(131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
  ])("%#", (hash, key, data, digest) => {
    expect(toHex(hmac(hash, fromHex(key), bytes(data)))).toBe(digest);
  });
});

it.each(HASHES)("%s of any data is Node's, and so is its HMAC", (name, hash) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 150 }), (data, key) => {
      expect(toHex(hash.digest(data))).toBe(createHash(name).update(data).digest("hex"));
      expect(toHex(hmac(hash, key, data))).toBe(createHmac(name, key).update(data).digest("hex"));
      expect(hash.digest(data)).toHaveLength(hash.digestBytes);
    }),
    { numRuns: 60 },
  );
});
