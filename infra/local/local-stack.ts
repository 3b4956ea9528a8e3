/**
 * The whole service on one machine, made from the synthesized template: the gateway, the functions' bundles, DynamoDB
 * and S3. Knows no route group, table or bucket by name.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { assemble } from "./assemble.ts";
import { holdDataFolder } from "./data-folder.ts";
import { type EmbeddedServer, findDynoxide, startDynoxide } from "./dynoxide.ts";
import { checkEndpoints, type EndpointVariable, explainStore } from "./endpoints.ts";
import { findFreePort, isLoopback, urlHost } from "./free-port.ts";
import { startGateway } from "./gateway.ts";
import { LOCAL_REGION } from "./intrinsics.ts";
import { makeLambdaPool } from "./lambda-pool.ts";
import { PresignedUrls } from "./presigned.ts";
import { LocalProblem } from "./problem.ts";
import { provisionBuckets, provisionTables } from "./provision.ts";
import { EMBEDDED_CREDENTIALS, startS3 } from "./s3.ts";
import { startSchedules } from "./schedules.ts";
import { keepSecrets, type Secret, startSecretsManager } from "./secrets.ts";
import { explainStart } from "./start-failure.ts";
import { type LocalTemplate, readTemplate, type StoreDefinition } from "./template.ts";
import { makeTerminalLog } from "./terminal-log.ts";

export interface Endpoints {
  readonly dynamodb: string;
  readonly s3: string;
}

export interface LocalStackOptions {
  /** Where the data lives. Default `.wirelab`. */
  readonly dataDir?: string;
  /** Where the service listens; the stores are on the loopback interface anyway. Default: that one. */
  readonly host?: string;
  /** 0 for any free one. Default 3080. */
  readonly port?: number;
  /** Who is let in: users of the table, or everybody, which is only for the loopback interface. Default `none`. */
  readonly auth?: "basic" | "none";
  /** Of the first user. Default: a generated one. */
  readonly adminPassword?: string | undefined;
  /** Nothing is kept: the data folder is a temporary one. */
  readonly inMemory?: boolean;
  /** A folder with a cloud assembly. Default: the stack is synthesized into the data folder. */
  readonly synth?: string;
  /** No progress lines. */
  readonly quiet?: boolean;
  /** Gets each line that a function logs, as `name: line`. Default: the errors alone go to the terminal. */
  readonly printLogs?: ((line: string) => void) | undefined;
  /** Calls functions on their schedules. Default: unless in memory. */
  readonly schedules?: boolean;
  /** Puts something between the functions and the stores: gets the real endpoints, gives those to call. */
  readonly endpoints?: (actual: Endpoints) => Endpoints | Promise<Endpoints>;
  /** Variables that the functions are given besides those of the template. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Gives up starting. */
  readonly signal?: AbortSignal;
  /** Called when a part ends by itself. */
  readonly onFault?: (message: string) => void;
}

export interface LocalStack {
  /** Without the stage: `http://127.0.0.1:3080`. */
  readonly url: string;
  readonly port: number;
  readonly stage: string;
  readonly dynamodbEndpoint: string;
  readonly s3Endpoint: string;
  readonly tableName: string;
  /** The bucket that the functions are given. */
  readonly bucketName: string;
  /** Physical names by logical id. */
  readonly resources: Readonly<Record<string, string>>;
  /** What it was made from. */
  readonly template: LocalTemplate;
  /** Of the first user, where users are asked for. */
  readonly firstPassword: Secret | undefined;
  /** Where `firstPassword` is found later, unless it was given. */
  readonly secretsFile: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
const DATA_FOLDER = ".wirelab";
export const DEFAULT_PORT = 3080;

/** @throws LocalProblem for what the caller can put right; nothing is left running then. */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const closers: (() => unknown)[] = [];
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      // One that cannot be closed is no reason to leave the others running.
      await Promise.resolve().then(close).catch(console.error);
    }
  };
  try {
    return { ...(await start(options, (close) => closers.push(close))), stop };
  } catch (error) {
    await stop();
    throw explainStart(error, resolve(options.inMemory ? tmpdir() : (options.dataDir ?? DATA_FOLDER)));
  }
}

type OnStop = (close: () => unknown) => void;
type Report = (line: string) => void;

async function start(options: LocalStackOptions, onStop: OnStop): Promise<Omit<LocalStack, "stop">> {
  const { host = HOST, port = DEFAULT_PORT } = options;
  const report: Report = (line) => options.quiet || console.log(line);
  // Before the stack is synthesized, which takes a while: what is known already to make the start fail.
  if (options.synth === undefined) refuseToLieOpen(host, options.auth === "basic");
  if (!process.env.AWS_ENDPOINT_URL_DYNAMODB) findDynoxide();
  await checkEndpoints();
  await findFreePort(host, port).catch((error) => explainPort(error, host, port));
  const folder = holdFolder(options, onStop);

  const template = readTemplate(options.synth ?? (await assembleInto(folder, options, report)));
  const asksWho = template.routes.some(({ authorizerId }) => authorizerId !== undefined);
  refuseToLieOpen(host, asksWho);
  const { region, credentials } = chooseAccount();
  const { dynamodb, s3 } = await startStores(folder, options, report, onStop);
  await explainStore("AWS_ENDPOINT_URL_DYNAMODB", () =>
    provisionTables({ endpoint: dynamodb, region, credentials }, template.tables),
  );
  await explainStore("AWS_ENDPOINT_URL_S3", () =>
    provisionBuckets({ endpoint: s3, region, credentials }, template.buckets),
  );
  options.signal?.throwIfAborted();

  const seen = (await options.endpoints?.({ dynamodb, s3 })) ?? { dynamodb, s3 };
  const secretsFile = join(folder, "secrets.json");
  const secrets = keepSecrets(secretsFile, template.secrets, options.adminPassword);
  const secretsManager = await startSecretsManager(HOST, secrets);
  onStop(() => secretsManager.stop());
  const pool = makeLambdaPool(
    template.functions,
    {
      // A line that nobody reads is not made.
      ...(options.printLogs ? {} : { POWERTOOLS_LOG_LEVEL: "WARN" }),
      ...options.environment,
      // Compiled code, which each further worker of a function loads in half the time.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: seen.dynamodb,
      AWS_ENDPOINT_URL_S3: seen.s3,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
    },
    makeTerminalLog(console.error, options.printLogs),
  );
  onStop(() => pool.stop());
  if (options.schedules ?? !options.inMemory) onStop(startSchedules(template.schedules, pool));
  const presigned = new PresignedUrls(seen.s3, s3);
  const gateway = await startGateway(template, pool, {
    host,
    port,
    ownNamesOnly: !asksWho,
    presigned,
  }).catch((error) => explainPort(error, host, port));
  onStop(() => gateway.stop());
  return {
    url: `http://${urlHost(host)}:${gateway.port}`,
    port: gateway.port,
    stage: template.stage,
    dynamodbEndpoint: dynamodb,
    s3Endpoint: s3,
    tableName: inUse(template, template.tables),
    bucketName: inUse(template, template.buckets),
    resources: template.names,
    template,
    firstPassword: Object.values(secrets)[0],
    secretsFile,
    region,
    credentials,
  };
}

/** @throws LocalProblem when other machines could come in, and nobody would ask who they are. */
function refuseToLieOpen(host: string, asksWho: boolean): void {
  if (asksWho || isLoopback(host)) return;
  throw new LocalProblem(
    `HOST is ${host}, where other machines reach the service, without asking who calls. ` +
      "Set WIRELAB_AUTH=basic, or leave HOST out.",
  );
}

function explainPort(error: NodeJS.ErrnoException, host: string, port: number): never {
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(error.code ?? "")) {
    throw new LocalProblem(`HOST is ${host}, which is no address of this machine.`);
  }
  const reason = { EADDRINUSE: "is taken by another program", EACCES: "may not be used by this user" }[
    error.code ?? ""
  ];
  if (reason === undefined) throw error;
  throw new LocalProblem(`Port ${port} ${reason}. Choose another one: PORT=3081 npm start`);
}

function holdFolder({ dataDir = DATA_FOLDER, inMemory }: LocalStackOptions, onStop: OnStop): string {
  if (inMemory) {
    const folder = mkdtempSync(join(tmpdir(), "wirelab-"));
    onStop(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
  const folder = resolve(dataDir);
  onStop(holdDataFolder(folder));
  return folder;
}

/** The stack here is ephemeral because one that is open has to be; the data stays all the same. */
async function assembleInto(
  folder: string,
  { auth = "none", signal }: LocalStackOptions,
  report: Report,
): Promise<string> {
  const assembly = join(folder, "cdk.out");
  await assemble(assembly, { settings: { auth, ephemeral: "true" }, report, signal });
  return assembly;
}

async function startStores(
  folder: string,
  { inMemory, onFault = () => {} }: LocalStackOptions,
  report: Report,
  onStop: OnStop,
): Promise<Endpoints> {
  const database = inMemory ? undefined : join(folder, "dynamodb.sqlite");
  const dynamodb = await startStore("AWS_ENDPOINT_URL_DYNAMODB", onStop, () =>
    startDynoxide(HOST, database, onFault),
  );
  report(`DynamoDB: ${dynamodb}`);
  const s3 = await startStore("AWS_ENDPOINT_URL_S3", onStop, () => startS3(HOST, join(folder, "s3")));
  report(`S3: ${s3}`);
  report(`Data folder: ${folder}`);
  return { dynamodb, s3 };
}

/** @returns the endpoint: the one the environment names, else that of the embedded server. */
async function startStore(
  variable: EndpointVariable,
  onStop: OnStop,
  startEmbedded: () => Promise<EmbeddedServer>,
): Promise<string> {
  const given = process.env[variable];
  if (given) return given;
  const server = await startEmbedded();
  onStop(() => server.stop());
  return server.endpoint;
}

/** The embedded S3 knows one account; only when there is another S3 do the caller's own credentials matter. */
function chooseAccount(): Pick<LocalStack, "region" | "credentials"> {
  const { AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  if (!AWS_ENDPOINT_URL_S3 || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    return { region: LOCAL_REGION, credentials: EMBEDDED_CREDENTIALS };
  }
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return { region: AWS_REGION ?? LOCAL_REGION, credentials };
}

/** The first store whose name some function is told. */
function inUse(template: LocalTemplate, stores: readonly StoreDefinition[]): string {
  const told = new Set(
    Object.values(template.functions).flatMap(({ environment }) => Object.values(environment)),
  );
  return (stores.find(({ name }) => told.has(name)) ?? stores[0])?.name ?? "";
}
