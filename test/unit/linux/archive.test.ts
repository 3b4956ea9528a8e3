import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Archive, parsePackages, refuseOutdated } from "@wirelab/linux/image/archive";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Cache, sha256Of } from "../../../packages/linux/image/cache.ts";
import { isGoodStatus } from "../../../packages/linux/image/signature.ts";

const hash = "0".repeat(64);

test("a list of packages is read, with the first of alternatives", () => {
  const list = `Package: frr
Version: 8.4.4-1
Depends: libc6 (>= 2.36), libyang2:any, logrotate | cron, iproute2
Pre-Depends: init-system-helpers
Filename: pool/main/f/frr/frr.deb
Size: 42
SHA256: ${hash}
Description: daemons

Package: broken
Version: 1
`;
  expect([...parsePackages(list).values()]).toEqual([
    {
      name: "frr",
      version: "8.4.4-1",
      path: "pool/main/f/frr/frr.deb",
      size: 42,
      sha256: hash,
      depends: ["init-system-helpers", "libc6", "libyang2", "logrotate", "iproute2"],
    },
  ]);
});

describe("the cache", () => {
  const folder = () => mkdtempSync(join(tmpdir(), "wirelab-cache-"));
  const bytes = Buffer.from("a package");
  const sha256 = sha256Of(bytes);

  test("fetches a file once", async () => {
    const cache = new Cache(join(folder(), "downloads"));
    let fetched = 0;
    const fetch = async () => {
      fetched += 1;
      return bytes;
    };
    expect(await cache.get(sha256, fetch)).toEqual(bytes);
    expect(await cache.get(sha256, fetch)).toEqual(bytes);
    expect(fetched).toBe(1);
  });

  test("refuses bytes with another hash, and stores nothing", async () => {
    const path = folder();
    const changed = async () => Buffer.from("another package");
    await expect(new Cache(path).get(sha256, changed)).rejects.toThrow(`another SHA-256 than ${sha256}`);
    expect(readdirSync(path)).toEqual([]);
  });

  test("fetches a file again that was damaged on disk", async () => {
    const path = folder();
    writeFileSync(join(path, sha256), "damaged");
    expect(await new Cache(path).get(sha256, async () => bytes)).toEqual(bytes);
  });
});

const hasGpgv = spawnSync("gpgv", ["--version"]).status === 0;

describe("the status of gpgv", () => {
  const valid = "[GNUPG:] VALIDSIG 4CB5 2023-01-01 1672531200 0 4 0 1 8 01 4CB5\n";
  test.each([
    [
      "a signature by a key of the release, beside those of others",
      `[GNUPG:] ERRSIG 1\n[GNUPG:] NO_PUBKEY 1\n${valid}`,
      true,
    ],
    ["no signature", "[GNUPG:] NODATA 4\n", false],
    ["a bad signature beside a good one", `[GNUPG:] BADSIG 1 Debian\n${valid}`, false],
    ["an expired signature", `[GNUPG:] EXPSIG 1 Debian\n${valid}`, false],
    ["a signature by a key that has expired", `[GNUPG:] EXPKEYSIG 1 Debian\n${valid}`, false],
    ["a signature by a key that was revoked", `[GNUPG:] REVKEYSIG 1 Debian\n${valid}`, false],
    ["words of a signature in another line", "gpgv: [GNUPG:] VALIDSIG 1\n", false],
  ])("of %s", (_what, status, isGood) => {
    expect(isGoodStatus(status)).toBe(isGood);
  });
});

describe("a list of a suite", () => {
  const release = (until: string) => `Origin: Debian\nValid-Until: ${until}\nSHA256:\n`;
  const until = "Sat, 10 Oct 2026 09:00:00 UTC";
  test("is taken until the day that it names, and for ever if it names none", () => {
    refuseOutdated(release(until), "InRelease", Date.UTC(2026, 9, 10, 9));
    refuseOutdated("Origin: Debian\n", "InRelease", Date.UTC(2099, 1));
  });

  test("is refused afterwards, and with a day that is none", () => {
    expect(() => refuseOutdated(release(until), "InRelease", Date.UTC(2026, 9, 10, 9, 0, 1))).toThrow(
      `InRelease was valid until ${until}: take another mirror`,
    );
    expect(() => refuseOutdated(release("soon"), "InRelease", 0)).toThrow(
      "a Valid-Until that is no date: soon",
    );
  });
});

describe("a mirror", () => {
  let server: Server;
  let mirror = "";
  let answer: { status: number; body: string } = { status: 200, body: "" };

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.statusCode = answer.status;
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/debian`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const open = () => Archive.open(mirror, new Cache("/nonexistent"));

  test("that does not have the suite is named", async () => {
    answer = { status: 404, body: "" };
    await expect(open()).rejects.toThrow("/debian/dists/bookworm/InRelease: the mirror returned 404");
  });

  test("that does not answer is named", async () => {
    await expect(Archive.open("http://127.0.0.1:9/debian", new Cache("/nonexistent"))).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:9\/debian\/dists\/bookworm\/InRelease: /,
    );
  });

  test.skipIf(!hasGpgv)(
    "with a list that Debian has not signed is refused (skipped without gpgv)",
    async () => {
      answer = { status: 200, body: "Origin: Debian\n" };
      await expect(open()).rejects.toThrow("has no valid signature of Debian");
    },
  );
});
