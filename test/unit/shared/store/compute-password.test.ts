import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EmbeddedServer } from "../../../../infra/local/embedded-server.ts";
import { startSecretsManager } from "../../../../infra/local/secrets.ts";

type Passwords = typeof import("../../../../functions/shared/store/base/compute-password.ts");

const folder = mkdtempSync(join(tmpdir(), "wirelab-passwords-"));
const file = join(folder, "secrets.json");
let server: EmbeddedServer;
let passwords: Passwords;

beforeAll(async () => {
  server = await startSecretsManager("127.0.0.1", {}, file);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: server.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    COMPUTE_SECRETS: "Wirelab/computes/",
  });
  // The client reads the environment when the module is loaded.
  passwords = await import("../../../../functions/shared/store/base/compute-password.ts");
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const saved = () => JSON.parse(readFileSync(file, "utf8"));

test("a password is stored under the stack's name, replaced and deleted", async () => {
  await passwords.writeComputePassword("one", "first");
  expect(saved()).toEqual({ "Wirelab/computes/one": "first" });
  await passwords.writeComputePassword("one", "second");
  expect(await passwords.readComputePassword("one")).toBe("second");
  expect(await passwords.readComputePassword("other")).toBeUndefined();
  await passwords.deleteComputePassword("one");
  expect(saved()).toEqual({});
  expect(await passwords.readComputePassword("one")).toBeUndefined();
});

test("deleting a missing password does nothing", async () => {
  await expect(passwords.deleteComputePassword("none")).resolves.toBeUndefined();
});
