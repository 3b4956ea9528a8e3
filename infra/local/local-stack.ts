/**
 * Runs the service on one machine from the synthesized template: the gateway, the functions' bundles, DynamoDB and S3.
 * This code refers to no route group, table or bucket by name.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { cacheFolder } from "@wirelab/linux/image/image";
import { assemble } from "./assemble.ts";
import { startConnectionsEndpoint } from "./connections-endpoint.ts";
import { holdDataFolder } from "./data-folder.ts";
import { startDynamoDb } from "./dynamodb/start.ts";
import type { EmbeddedServer } from "./embedded-server.ts";
import { checkEndpoints, type EndpointVariable, explainStore } from "./endpoints.ts";
import { startExpiry } from "./expiry.ts";
import { makeFailureQueues } from "./failure-queues.ts";
import { ensureFirstUser, type FirstUser } from "./first-user.ts";
import { findFreePort, isLoopback, urlHost } from "./free-port.ts";
import type { PoolLimits } from "./function-workers.ts";
import { startGateway } from "./gateway.ts";
import { LOCAL_REGION } from "./intrinsics.ts";
import { startLambdaEndpoint } from "./lambda-endpoint.ts";
import { makeLambdaPool } from "./lambda-pool.ts";
import { PresignedUrls } from "./presigned.ts";
import { LocalProblem } from "./problem.ts";
import { provisionBuckets, provisionTables } from "./provision.ts";
import { DISK, UNSYNCHRONIZED } from "./s3/files.ts";
import { startS3 } from "./s3/s3.ts";
import { EMBEDDED_CREDENTIALS } from "./s3/s3-request.ts";
import { startSchedules } from "./schedules.ts";
import { keepSecrets, startSecretsManager } from "./secrets.ts";
import { SocketConnections } from "./socket-connections.ts";
import { explainStart } from "./start-failure.ts";
import { startStateMachines } from "./state-machines.ts";
import { startStreams } from "./stream-thread.ts";
import { TelnetPorts } from "./telnet-ports.ts";
import type { StoreDefinition } from "./template/stores.ts";
import { type LocalTemplate, readTemplate } from "./template/template.ts";
import { makeTerminalLog } from "./terminal-log.ts";

export interface Endpoints {
  readonly dynamodb: string;
  readonly s3: string;
}

export interface LocalStackOptions {
  /** The data folder. Default `.wirelab`. */
  readonly dataDir?: string;
  /** The address on which the service listens. The embedded stores always listen on 127.0.0.1. Default `127.0.0.1`. */
  readonly host?: string;
  /** The port, or 0 for any free one. Default 3080. */
  readonly port?: number;
  /** Authentication by the users in the table, by tokens of an issuer, or none, which is possible only on the loopback interface. Default `none`. */
  readonly auth?: "basic" | "jwt" | "none";
  /** Settings of the stack, like `cdk -c`; empty ones count as absent. */
  readonly context?: Readonly<Record<string, string>>;
  /** Gives nodes telnet ports on 127.0.0.1, unless the service asks for credentials, for which telnet has no place. Default: false. */
  readonly telnet?: boolean;
  /** The first user's password. Default: a generated one. */
  readonly adminPassword?: string | undefined;
  /** Uses a temporary data folder, which is deleted at the end. */
  readonly inMemory?: boolean;
  /** A folder with a cloud assembly. Default: the stack is synthesized into the data folder. */
  readonly synth?: string;
  /** Prints no progress. */
  readonly quiet?: boolean;
  /** Receives each line that a function logs, as `name: line`. Default: only errors are printed, to stderr. */
  readonly printLogs?: ((line: string) => void) | undefined;
  /** Calls functions on their schedules. Default: true, but false with `inMemory`. */
  readonly schedules?: boolean;
  /** Calls functions with the changes of tables. Default: true, but false with `endpoints`, whose proxy would see their calls. */
  readonly streams?: boolean;
  /** Inserts a proxy between the functions and the stores: receives the real endpoints, returns the ones that functions call. */
  readonly endpoints?: (actual: Endpoints) => Endpoints | Promise<Endpoints>;
  /** Instead of the usual limits of each function's workers. */
  readonly workers?: Partial<PoolLimits>;
  /** Environment variables of all functions, in addition to those of the template. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
  /** Called when the embedded DynamoDB ends unexpectedly. */
  readonly onFault?: (message: string) => void;
}

export interface LocalStack {
  /** Without the stage: `http://127.0.0.1:3080`. */
  readonly url: string;
  readonly port: number;
  readonly stage: string;
  readonly dynamodbEndpoint: string;
  readonly s3Endpoint: string;
  readonly stepFunctionsEndpoint: string;
  readonly tableName: string;
  /** The bucket in the functions' environment variables. */
  readonly bucketName: string;
  /** Physical names by logical id. */
  readonly resources: Readonly<Record<string, string>>;
  /** The template that the service runs from. */
  readonly template: LocalTemplate;
  /** Undefined without authentication by users of the table. */
  readonly firstUser: FirstUser | undefined;
  /** The file that has the first user's password, unless `adminPassword` was given. */
  readonly secretsFile: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
const DATA_FOLDER = ".wirelab";
export const DEFAULT_PORT = 3080;

/** Stops all parts if the start fails. @throws LocalProblem for a cause that the user can fix. */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const closers: (() => unknown)[] = [];
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      // The other parts must stop even if one fails to stop.
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
  // The synthesis takes seconds, so the checks that do not need its result come first.
  if (options.synth === undefined) refuseOpenAccess(host, (options.auth ?? "none") !== "none");
  await checkEndpoints();
  await findFreePort(host, port).catch((error) => explainPort(error, host, port));
  const folder = holdFolder(options, onStop);

  const template = readTemplate(options.synth ?? (await assembleInto(folder, options, report)));
  const authenticates = template.routes.some(({ authorizerId }) => authorizerId !== undefined);
  refuseOpenAccess(host, authenticates);
  const { region, credentials } = chooseAccount();
  const isEmbedded = !process.env.AWS_ENDPOINT_URL_DYNAMODB;
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
  const secrets = keepSecrets(secretsFile, template.secrets);
  const secretsManager = await startSecretsManager(HOST, secrets, secretsFile);
  onStop(() => secretsManager.stop());
  const firstUser = hasUsers(template)
    ? await ensureFirstUser(
        {
          name: inUse(template, template.tables),
          environment: storeVariables(dynamodb, region, credentials),
        },
        secretsFile,
        options.adminPassword,
      )
    : undefined;
  const sockets = new SocketConnections();
  const connections = await startConnectionsEndpoint(HOST, template.stage, sockets);
  onStop(() => connections.stop());
  const stateMachines = await startStateMachines(HOST, template.stateMachines, () => pool);
  onStop(() => stateMachines.stop());
  const queues = makeFailureQueues(console.error);
  const { names, asyncCalls: calls } = template;
  const lambda = await startLambdaEndpoint(HOST, { names, calls, pool: () => pool, queues });
  const pool = makeLambdaPool(
    template.functions,
    {
      // Only errors are printed, so the functions need not format other lines.
      ...(options.printLogs ? {} : { POWERTOOLS_LOG_LEVEL: "WARN" }),
      ...options.environment,
      // With the cache of compiled code, the second and later workers of a function load in half the time.
      // Stacks of one assembly share it.
      NODE_COMPILE_CACHE: join(options.synth ?? folder, "compiled"),
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: seen.dynamodb,
      AWS_ENDPOINT_URL_S3: seen.s3,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
      AWS_ENDPOINT_URL_SFN: stateMachines.endpoint,
      AWS_ENDPOINT_URL_LAMBDA: lambda.endpoint,
      SOCKETS_ENDPOINT: connections.endpoint,
      // WebSockets have the address of the page.
      SOCKETS_URL: "",
      PAGE_HOST: "",
      // Images of Linux nodes that `wirelab image build` has made.
      WIRELAB_CACHE: cacheFolder(process.env),
      // Computes may be on the same machine: functions/shared/compute/call.ts.
      COMPUTE_LOOPBACK: "true",
    },
    makeTerminalLog(console.error, options.printLogs),
    options.workers,
  );
  onStop(() => pool.stop());
  // Before the pool, whose end would fail the calls that are running.
  onStop(() => lambda.stop());
  if (options.schedules ?? !options.inMemory) {
    onStop(startSchedules(template.schedules, pool));
    if (isEmbedded)
      onStop(
        startExpiry(
          {
            dynamodb: { endpoint: dynamodb, region, credentials },
            s3: { endpoint: s3, region, credentials },
          },
          template,
        ),
      );
  }
  if (options.streams ?? options.endpoints === undefined) {
    const positionsFile = options.inMemory ? undefined : join(folder, "streams.json");
    const settings = { endpoint: dynamodb, region, credentials };
    onStop(
      startStreams(template.streams, {
        settings,
        pool,
        positionsFile,
        databaseFile: isEmbedded ? databaseIn(folder) : undefined,
        queues,
        report: console.error,
      }),
    );
  }
  const presigned = new PresignedUrls(seen.s3, s3);
  const onSuccess: ((method: string, path: string) => void)[] = [];
  const gateway = await startGateway(template, pool, {
    onSuccess: (method, path) => {
      for (const call of onSuccess) call(method, path);
    },
    host,
    port,
    ownNamesOnly: !authenticates,
    presigned,
    sockets,
  }).catch((error) => explainPort(error, host, port));
  onStop(() => gateway.stop());
  const url = `http://${urlHost(host)}:${gateway.port}`;
  if (options.telnet && !authenticates) {
    const service = { url: `${url}/${template.stage}`, sockets: undefined, headers: {} };
    const ports = new TelnetPorts(service, console.error);
    onStop(() => ports.stop());
    onSuccess.push((method, path) => ports.noteRequest(method, path));
    // With thousands of nodes this takes minutes, and the service is ready without.
    void ports.openAll();
  }
  return {
    url,
    port: gateway.port,
    stage: template.stage,
    dynamodbEndpoint: dynamodb,
    s3Endpoint: s3,
    stepFunctionsEndpoint: stateMachines.endpoint,
    tableName: inUse(template, template.tables),
    bucketName: inUse(template, template.buckets),
    resources: template.names,
    template,
    firstUser,
    secretsFile,
    region,
    credentials,
  };
}

/** @throws LocalProblem when other machines could reach the service without authentication. */
function refuseOpenAccess(host: string, authenticates: boolean): void {
  if (authenticates || isLoopback(host)) return;
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

/** The stack is ephemeral because `auth=none` requires it; the local data is kept anyway. */
async function assembleInto(
  folder: string,
  { auth = "none", context = {}, signal }: LocalStackOptions,
  report: Report,
): Promise<string> {
  const assembly = join(folder, "cdk.out");
  const settings = { ...context, auth, ephemeral: "true" };
  await assemble(assembly, { settings, oneBuild: true, report, signal });
  return assembly;
}

const databaseIn = (folder: string): string => join(folder, "dynamodb.sqlite");

async function startStores(
  folder: string,
  { onFault = () => {}, inMemory = false }: LocalStackOptions,
  report: Report,
  onStop: OnStop,
): Promise<Endpoints> {
  const dynamodb = await startStore("AWS_ENDPOINT_URL_DYNAMODB", onStop, () =>
    startDynamoDb(HOST, databaseIn(folder), onFault),
  );
  report(`DynamoDB: ${dynamodb}`);
  const s3 = await startStore("AWS_ENDPOINT_URL_S3", onStop, () =>
    startS3(HOST, join(folder, "s3"), console.error, inMemory ? UNSYNCHRONIZED : DISK),
  );
  report(`S3: ${s3}`);
  report(`Data folder: ${folder}`);
  return { dynamodb, s3 };
}

/** @returns the endpoint in the environment variable, else that of the embedded server. */
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

/** The embedded S3 has one fixed account; the user's credentials apply only to a configured S3 endpoint. */
function chooseAccount(): Pick<LocalStack, "region" | "credentials"> {
  const { AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  if (!AWS_ENDPOINT_URL_S3 || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    return { region: LOCAL_REGION, credentials: EMBEDDED_CREDENTIALS };
  }
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return { region: AWS_REGION ?? LOCAL_REGION, credentials };
}

/** Whether callers sign in as users of the table. */
const hasUsers = ({ functions }: LocalTemplate): boolean =>
  Object.values(functions).some(({ environment }) => environment.AUTH_MODE === "basic");

const storeVariables = (
  dynamodb: string,
  region: string,
  { accessKeyId, secretAccessKey }: LocalStack["credentials"],
): Record<string, string> => ({
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
});

/** The first store whose name is in a function's environment. */
function inUse(template: LocalTemplate, stores: readonly StoreDefinition[]): string {
  const values = new Set(
    Object.values(template.functions).flatMap(({ environment }) => Object.values(environment)),
  );
  return (stores.find(({ name }) => values.has(name)) ?? stores[0])?.name ?? "";
}
