import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeEach, expect, test } from "vitest";
import { keepSecrets, saveSecret, startSecretsManager } from "../../../../infra/local/secrets.ts";
import { HangingUp } from "../../../helpers/service/hang-up.ts";

const folder = mkdtempSync(join(tmpdir(), "wirelab-secrets-"));
const file = join(folder, "secrets.json");
const SECRETS = [{ name: "one", properties: {} }];

beforeEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

test("a secret is generated once, and read again from a file that only its owner can access", () => {
  const { one } = keepSecrets(file, SECRETS);
  expect(one).toMatch(/^[\w-]{24}$/);
  expect(keepSecrets(file, SECRETS)).toEqual({ one });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a saved secret is beside those of the stack", () => {
  const { one } = keepSecrets(file, SECRETS);
  saveSecret(file, "first-password", "given");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ one, "first-password": "given" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a saved secret replaces the file at once, so that a kill leaves one of the two", () => {
  const { one } = keepSecrets(file, SECRETS);
  const before = openSync(file, "r");
  saveSecret(file, "first-password", "given");
  expect(JSON.parse(readFileSync(before, "utf8"))).toEqual({ one });
  closeSync(before);
  expect(readdirSync(folder)).toEqual(["secrets.json"]);
});

test("without secrets no file is written, and a broken file is reported", () => {
  expect(keepSecrets(file, [])).toEqual({});
  expect(() => statSync(file)).toThrow("ENOENT");
  writeFileSync(file, "{");
  expect(() => keepSecrets(file, SECRETS)).toThrow("is no JSON any more");
});

test("the SDK reads them as it reads those of Secrets Manager", async () => {
  const server = await startSecretsManager("127.0.0.1", { one: "välue" }, file);
  const client = new SecretsManagerClient({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  const read = (SecretId: string) => client.send(new GetSecretValueCommand({ SecretId }));
  expect((await read("one")).SecretString).toBe("välue");
  await expect(read("other")).rejects.toBeInstanceOf(ResourceNotFoundException);
  client.destroy();
  await server.stop();
});

test.each([
  ["disconnects during the request", "Content-Length: 9\r\n\r\n{"],
  ["sends invalid JSON", "Content-Length: 1\r\n\r\n{"],
])("a client that %s gets no response, but others do", async (_title, rest) => {
  const server = await startSecretsManager("127.0.0.1", {}, file);
  const client = await HangingUp.open(
    Number(new URL(server.endpoint).port),
    `POST / HTTP/1.1\r\nHost: x\r\n${rest}`,
  );
  await client.response;
  await client.hangUp();
  expect((await fetch(server.endpoint, { method: "POST" })).status).toBe(400);
  await server.stop();
});
