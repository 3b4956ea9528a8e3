/** The part of Secrets Manager that the functions use: the template's secrets and those that functions create, saved in a file. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EmbeddedServer } from "./embedded-server.ts";
import { LocalProblem } from "./problem.ts";
import { replaceFile } from "./replace-file.ts";
import type { StoreDefinition } from "./template/stores.ts";

/** 144 bits. */
const GENERATED_BYTES = 18;
const OWNER_ONLY = 0o600;

/**
 * Returns a value for each secret: the value in the file, else a new random one, which it writes to the file.
 * @throws LocalProblem when the file is not JSON.
 */
export function keepSecrets(file: string, secrets: readonly StoreDefinition[]): Record<string, string> {
  const known = readSecrets(file);
  const missing = secrets.filter(({ name }) => known[name] === undefined);
  const made = Object.fromEntries(
    missing.map(({ name }) => [name, randomBytes(GENERATED_BYTES).toString("base64url")]),
  );
  if (missing.length > 0) writeSecrets(file, { ...known, ...made });
  return Object.fromEntries(secrets.map(({ name }) => [name, known[name] ?? made[name]!]));
}

/** Writes a secret that no stack declares. */
export const saveSecret = (file: string, name: string, value: string): void =>
  writeSecrets(file, { ...readSecrets(file), [name]: value });

const writeSecrets = (file: string, values: Readonly<Record<string, string>>): void =>
  replaceFile(file, `${JSON.stringify(values, null, 2)}\n`, OWNER_ONLY);

export function readSecrets(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new LocalProblem(`${file} is no JSON any more; remove it, and new secrets are made.`);
  }
}

/**
 * Serves GetSecretValue, and for secrets that are not the template's CreateSecret, PutSecretValue and DeleteSecret, in the AWS JSON 1.1
 * protocol.
 * @param file where the created secrets are saved.
 */
export async function startSecretsManager(
  host: string,
  secrets: Readonly<Record<string, string>>,
  file: string,
): Promise<EmbeddedServer> {
  const server = createServer((request, response) => {
    // A client that disconnects, or sends another protocol, must not end the process.
    answer(request, response, secrets, file).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Reply = readonly [status: number, body: object];

const NOT_FOUND: Reply = [400, { __type: "ResourceNotFoundException" }];

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  secrets: Readonly<Record<string, string>>,
  file: string,
): Promise<void> {
  const parameters = JSON.parse((await text(request)) || "{}") as Parameters;
  const operation = String(request.headers["x-amz-target"]).replace("secretsmanager.", "");
  const [status, body] = reply(operation, parameters, secrets, file);
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
}

interface Parameters {
  readonly SecretId?: string;
  readonly Name?: string;
  readonly SecretString?: string;
}

function reply(
  operation: string,
  { SecretId = "", Name = SecretId, SecretString = "" }: Parameters,
  secrets: Readonly<Record<string, string>>,
  file: string,
): Reply {
  const saved = readSecrets(file);
  const value = secrets[Name] ?? saved[Name];
  switch (operation) {
    case "GetSecretValue":
      return value === undefined ? NOT_FOUND : [200, { Name, SecretString: value }];
    case "CreateSecret":
      if (value !== undefined) return [400, { __type: "ResourceExistsException" }];
      writeSecrets(file, { ...saved, [Name]: SecretString });
      return [200, { Name }];
    case "PutSecretValue":
      if (value === undefined) return NOT_FOUND;
      writeSecrets(file, { ...saved, [Name]: SecretString });
      return [200, { Name }];
    case "DeleteSecret": {
      if (value === undefined) return NOT_FOUND;
      const { [Name]: _deleted, ...others } = saved;
      writeSecrets(file, others);
      return [200, { Name }];
    }
    default:
      return [400, { __type: "UnknownOperationException" }];
  }
}
