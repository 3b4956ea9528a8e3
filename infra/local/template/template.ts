/** Reads a synthesized cloud assembly into plain data for the gateway, the functions and the stores. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CfnResource, type CfnResources, makeResolver } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { readRestApi, takesBinaryBodies } from "./api.ts";
import { type AsyncCallDefinition, readAsyncCalls } from "./async-calls.ts";
import { type AuthorizerDefinition, readAuthorizers } from "./authorizers.ts";
import { type FunctionDefinition, readFunction } from "./functions.ts";
import { type GatewayResponseDefinition, readGatewayResponses } from "./gateway-responses.ts";
import { makeFindFunction, nameResources, ofType, single } from "./resources.ts";
import { type RouteDefinition, readRoutes } from "./routes.ts";
import { readSchedules, type ScheduleDefinition } from "./schedules.ts";
import { readSockets, type SocketsDefinition } from "./sockets.ts";
import { readStateMachines, type StateMachineDefinition } from "./state-machines.ts";
import { readStores, type StoreDefinition } from "./stores.ts";
import { readStreams, type StreamDefinition } from "./streams.ts";

export interface LocalTemplate {
  readonly stage: string;
  readonly binaryBodies: boolean;
  readonly routes: readonly RouteDefinition[];
  /** The REST API's by name, the WebSocket API's by logical id. */
  readonly authorizers: Readonly<Record<string, AuthorizerDefinition>>;
  readonly gatewayResponses: readonly GatewayResponseDefinition[];
  readonly functions: Readonly<Record<string, FunctionDefinition>>;
  readonly schedules: readonly ScheduleDefinition[];
  readonly streams: readonly StreamDefinition[];
  readonly asyncCalls: readonly AsyncCallDefinition[];
  readonly stateMachines: readonly StateMachineDefinition[];
  readonly sockets?: SocketsDefinition;
  readonly tables: readonly StoreDefinition[];
  readonly buckets: readonly StoreDefinition[];
  readonly secrets: readonly StoreDefinition[];
  /** Physical names of tables, buckets, secrets and functions by logical id. */
  readonly names: Readonly<Record<string, string>>;
}

/** @param folder a cloud assembly (`cdk.out`) with exactly one stack. */
export function readTemplate(folder: string): LocalTemplate {
  const { Resources } = readJson(join(folder, findTemplateFile(folder))) as { Resources: CfnResources };
  const names = nameResources(Resources);
  const resolve = makeResolver(Resources, names);
  const findFunction = makeFindFunction(Resources, resolve);
  const api = readRestApi(Resources, resolve);
  const [, stage] = single(Resources, "AWS::ApiGateway::Stage");
  const called = {
    routes: readRoutes(api, findFunction),
    authorizers: readAuthorizers(Resources, api, findFunction),
    schedules: readSchedules(Resources, findFunction),
    streams: readStreams(Resources, names),
    asyncCalls: readAsyncCalls(Resources),
    stateMachines: readStateMachines(Resources, names, resolve),
    ...readSockets(Resources, findFunction),
  };
  return {
    ...called,
    stage: String(stage.Properties?.StageName),
    binaryBodies: takesBinaryBodies(api),
    gatewayResponses: readGatewayResponses(api),
    functions: Object.fromEntries(
      functionsWithCode(Resources, called).map(([id, resource]) => [
        id,
        readFunction(id, resource, folder, names, resolve),
      ]),
    ),
    tables: readStores(Resources, "AWS::DynamoDB::Table", names),
    buckets: readStores(Resources, "AWS::S3::Bucket", names),
    secrets: readStores(Resources, "AWS::SecretsManager::Secret", names),
    names,
  };
}

function findTemplateFile(folder: string): string {
  const manifest = readJson(join(folder, "manifest.json")) as {
    artifacts?: Record<string, { type: string; properties?: { templateFile?: string } }>;
  };
  const files = Object.values(manifest.artifacts ?? {})
    .filter((artifact) => artifact.type === "aws:cloudformation:stack")
    .map((artifact) => artifact.properties?.templateFile ?? "");
  if (files.length !== 1) throw new LocalProblem(`${folder} holds ${files.length} stacks, one is needed`);
  return files[0]!;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Omits functions that are part of the deployment and never run locally: nothing in the template calls them. */
function functionsWithCode(
  resources: CfnResources,
  {
    routes,
    authorizers,
    schedules,
    streams,
    asyncCalls,
    stateMachines,
    sockets,
  }: Pick<
    LocalTemplate,
    "routes" | "authorizers" | "schedules" | "streams" | "asyncCalls" | "stateMachines" | "sockets"
  >,
): [string, CfnResource][] {
  const used = new Set([
    ...[
      ...routes.filter((route) => "functionId" in route),
      ...Object.values(authorizers),
      ...schedules,
      ...streams,
      ...asyncCalls,
      ...stateMachines,
    ].map(({ functionId }) => functionId),
    ...(sockets ? [sockets.connect, sockets.message, sockets.disconnect] : []),
  ]);
  return ofType(resources, "AWS::Lambda::Function").filter(([id]) => used.has(id));
}
