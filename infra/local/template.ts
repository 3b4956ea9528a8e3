/** Reads a synthesized cloud assembly into plain data for the gateway, the functions and the stores. */
import { readFileSync } from "node:fs";
import { join, resolve as resolvePath } from "node:path";
import { compilePattern } from "./filter-pattern.ts";
import { type CfnResource, type CfnResources, makeResolver, type Resolve } from "./intrinsics.ts";
import { type MockDefinition, readMock } from "./mock-integration.ts";
import { LocalProblem } from "./problem.ts";

interface Route {
  /** In API Gateway's format: `/projects/{project_id}`, `/symbols/{symbol_path+}`. */
  readonly resourcePath: string;
  /** An HTTP method, or `ANY`. */
  readonly method: string;
  /** The authorizer's logical id; undefined for a route without authentication. */
  readonly authorizerId?: string;
}

export interface FunctionRoute extends Route {
  /** Logical id. */
  readonly functionId: string;
  readonly streaming: boolean;
  readonly timeoutMs: number;
}

/** The gateway responds without a function. */
interface MockRoute extends Route {
  readonly mock: MockDefinition;
}

export type RouteDefinition = FunctionRoute | MockRoute;

/** A Lambda authorizer of type REQUEST. */
export interface AuthorizerDefinition {
  /** Logical id. */
  readonly functionId: string;
  /** `method.request.header.Authorization`, ...: a request must have all of them; their values are the key of the cached policy. */
  readonly identitySources: readonly string[];
  /** A policy is cached for this time; 0 disables the cache. */
  readonly ttlMs: number;
}

export interface GatewayResponseDefinition {
  readonly responseType: string;
  readonly statusCode?: number;
  /** Values in CloudFormation's format: text in quotes, or `context.` and a name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly template?: string;
}

export interface FunctionDefinition {
  readonly name: string;
  readonly bundleFolder: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** A function that EventBridge calls at a fixed rate. */
export interface ScheduleDefinition {
  /** Logical id. */
  readonly functionId: string;
  readonly everyMs: number;
}

/** A function that Lambda calls with the changes of a table. */
export interface StreamDefinition {
  /** Logical id. */
  readonly functionId: string;
  readonly tableName: string;
  readonly batchSize: number;
  /** A change is passed to the function if one of these accepts it. */
  readonly matches: readonly ((change: unknown) => boolean)[];
}

/**
 * A state machine that calls one function: once with the execution's input, as infra/guest-runs.ts declares it, or for each item of a
 * list, as infra/lab-sweeps.ts does.
 */
export interface StateMachineDefinition {
  readonly name: string;
  /** Logical id. */
  readonly functionId: string;
  readonly timeoutMs: number;
  readonly map?: MapDefinition | undefined;
}

export interface MapDefinition {
  readonly maxConcurrency: number;
  readonly itemsPath: string;
  readonly itemSelector: Readonly<Record<string, string>>;
}

/** The WebSocket API: the functions of its routes, as logical ids. */
export interface SocketsDefinition {
  readonly connect: string;
  readonly message: string;
  readonly disconnect: string;
  /** The authorizer of `$connect`; undefined for an API without authentication. */
  readonly authorizerId?: string;
}

/** The physical name, and the properties in CloudFormation's format. */
export interface StoreDefinition {
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface LocalTemplate {
  readonly stage: string;
  readonly binaryBodies: boolean;
  readonly routes: readonly RouteDefinition[];
  /** By logical id. */
  readonly authorizers: Readonly<Record<string, AuthorizerDefinition>>;
  readonly gatewayResponses: readonly GatewayResponseDefinition[];
  readonly functions: Readonly<Record<string, FunctionDefinition>>;
  readonly schedules: readonly ScheduleDefinition[];
  readonly streams: readonly StreamDefinition[];
  readonly stateMachines: readonly StateMachineDefinition[];
  readonly sockets?: SocketsDefinition;
  readonly tables: readonly StoreDefinition[];
  readonly buckets: readonly StoreDefinition[];
  readonly secrets: readonly StoreDefinition[];
  /** Physical names of tables, buckets, secrets and functions by logical id. */
  readonly names: Readonly<Record<string, string>>;
}

const INTEGRATION_TIMEOUT_MS = 29_000;

/** @param folder a cloud assembly (`cdk.out`) with exactly one stack. */
export function readTemplate(folder: string): LocalTemplate {
  const { Resources } = readJson(join(folder, findTemplateFile(folder))) as { Resources: CfnResources };
  const names = nameResources(Resources);
  const resolve = makeResolver(Resources, names);
  const [, api] = single(Resources, "AWS::ApiGateway::RestApi");
  const [, stage] = single(Resources, "AWS::ApiGateway::Stage");
  const binaryTypes = (api.Properties?.BinaryMediaTypes ?? []) as string[];
  return {
    stage: String(stage.Properties?.StageName),
    binaryBodies: binaryTypes.includes("*/*"),
    routes: readRoutes(Resources),
    authorizers: readAuthorizers(Resources),
    gatewayResponses: ofType(Resources, "AWS::ApiGateway::GatewayResponse").map(([, resource]) =>
      readGatewayResponse(resource),
    ),
    functions: Object.fromEntries(
      functionsWithCode(Resources).map(([id, resource]) => [
        id,
        readFunction(id, resource, folder, names, resolve),
      ]),
    ),
    schedules: readSchedules(Resources),
    streams: readStreams(Resources, names),
    stateMachines: readStateMachines(Resources, names, resolve),
    ...readSockets(Resources),
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

function ofType(resources: CfnResources, type: string): [string, CfnResource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

function single(resources: CfnResources, type: string): [string, CfnResource] {
  const found = ofType(resources, type);
  if (found.length !== 1) throw new LocalProblem(`the template has ${found.length} ${type}, one is needed`);
  return found[0]!;
}

/** Derives names from logical ids, so that the next synthesis has the same names and finds the data. */
function nameResources(resources: CfnResources): Record<string, string> {
  const properties = {
    "AWS::DynamoDB::Table": "TableName",
    "AWS::S3::Bucket": "BucketName",
    "AWS::SecretsManager::Secret": "Name",
    "AWS::ApiGatewayV2::Api": "Name",
    "AWS::Lambda::Function": "FunctionName",
    "AWS::StepFunctions::StateMachine": "StateMachineName",
  };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([type, property]) =>
      ofType(resources, type).map(([id, resource]) => {
        const given = resource.Properties?.[property];
        return [id, typeof given === "string" ? given : `wirelab-${id.toLowerCase()}`.slice(0, 63)];
      }),
    ),
  );
}

function readRoutes(resources: CfnResources): RouteDefinition[] {
  return ofType(resources, "AWS::ApiGateway::Method").map(([id, { Properties = {} }]) => {
    const integration = (Properties.Integration ?? {}) as Record<string, unknown>;
    return {
      resourcePath: pathOf(resources, Properties.ResourceId),
      method: String(Properties.HttpMethod),
      ...readIntegration(resources, integration, `${id}.Integration`),
      ...readAuthorization(id, Properties),
    };
  });
}

function readIntegration(resources: CfnResources, integration: Record<string, unknown>, where: string) {
  switch (integration.Type) {
    case "AWS_PROXY":
      return {
        functionId: findFunction(resources, integration.Uri, `${where}.Uri`),
        streaming: integration.ResponseTransferMode === "STREAM",
        timeoutMs: Number(integration.TimeoutInMillis ?? INTEGRATION_TIMEOUT_MS),
      };
    case "MOCK":
      return { mock: readMock(integration, where) };
    default:
      throw new LocalProblem(`${where}.Type: only AWS_PROXY and MOCK run locally, not ${integration.Type}`);
  }
}

/** Rejects other types of authorization: without a check the route would be open. */
function readAuthorization(
  id: string,
  { AuthorizationType = "NONE", AuthorizerId }: Readonly<Record<string, unknown>>,
): Pick<RouteDefinition, "authorizerId"> {
  const authorizerId = (AuthorizerId as { Ref?: string } | undefined)?.Ref;
  if (AuthorizationType === "NONE") return {};
  if (AuthorizationType === "CUSTOM" && authorizerId !== undefined) return { authorizerId };
  throw new LocalProblem(`${id}.AuthorizationType: ${AuthorizationType} has no local counterpart`);
}

/** AWS's default, for a template without AuthorizerResultTtlInSeconds. */
const AUTHORIZER_TTL_SECONDS = 300;

function readAuthorizers(resources: CfnResources): Record<string, AuthorizerDefinition> {
  const ofRest = ofType(resources, "AWS::ApiGateway::Authorizer").map(([id, { Properties = {} }]) => {
    const { Type, AuthorizerUri, IdentitySource = "", AuthorizerResultTtlInSeconds } = Properties;
    if (Type !== "REQUEST") throw new LocalProblem(`${id}.Type: only REQUEST runs locally, not ${Type}`);
    const identitySources = String(IdentitySource).split(",").filter(Boolean);
    return [
      id,
      {
        functionId: findFunction(resources, AuthorizerUri, `${id}.AuthorizerUri`),
        identitySources,
        ttlMs: Number(AuthorizerResultTtlInSeconds ?? AUTHORIZER_TTL_SECONDS) * 1000,
      },
    ] as const;
  });
  const ofSockets = ofType(resources, "AWS::ApiGatewayV2::Authorizer").map(([id, { Properties = {} }]) => {
    const { AuthorizerUri, IdentitySource = [] } = Properties;
    const functionId = findFunction(resources, AuthorizerUri, `${id}.AuthorizerUri`);
    // WebSocket APIs cache no policies.
    return [id, { functionId, identitySources: IdentitySource as string[], ttlMs: 0 }] as const;
  });
  return Object.fromEntries([...ofRest, ...ofSockets]);
}

const SOCKET_ROUTES = { connect: "$connect", message: "$default", disconnect: "$disconnect" } as const;

/** @returns nothing for a template without a WebSocket API. */
function readSockets(resources: CfnResources): { sockets?: SocketsDefinition } {
  const apis = ofType(resources, "AWS::ApiGatewayV2::Api");
  if (apis.length === 0) return {};
  const [api, { Properties = {} }] = single(resources, "AWS::ApiGatewayV2::Api");
  if (Properties.ProtocolType !== "WEBSOCKET")
    throw new LocalProblem(
      `${api}.ProtocolType: only WEBSOCKET runs locally, not ${Properties.ProtocolType}`,
    );
  const routes = ofType(resources, "AWS::ApiGatewayV2::Route");
  const find = (key: string): [string, CfnResource] => {
    const found = routes.find(([, route]) => route.Properties?.RouteKey === key);
    if (found === undefined) throw new LocalProblem(`${api} has no route ${key}`);
    return found;
  };
  const targetOf = (key: string): string => {
    const [id, route] = find(key);
    const [, integration] = /"Ref":"(\w+)"/.exec(JSON.stringify(route.Properties?.Target)) ?? [];
    const uri = resources[integration ?? ""]?.Properties?.IntegrationUri;
    return findFunction(resources, uri, `${id}.Target`);
  };
  const [connectId, connect] = find(SOCKET_ROUTES.connect);
  return {
    sockets: {
      connect: targetOf(SOCKET_ROUTES.connect),
      message: targetOf(SOCKET_ROUTES.message),
      disconnect: targetOf(SOCKET_ROUTES.disconnect),
      ...readAuthorization(connectId, connect.Properties ?? {}),
    },
  };
}

/** Follows the parents up to the root, which is an attribute of the API, not a resource. */
function pathOf(resources: CfnResources, reference: unknown): string {
  const segments: string[] = [];
  let id = (reference as { Ref?: string })?.Ref;
  while (id !== undefined) {
    const properties = resources[id]?.Properties ?? {};
    segments.unshift(String(properties.PathPart));
    id = (properties.ParentId as { Ref?: string })?.Ref;
  }
  return `/${segments.join("/")}`;
}

/** The URI of an integration is a Fn::Join with the function's ARN; returns the first function in it. */
function findFunction(resources: CfnResources, uri: unknown, where: string): string {
  const mentioned = [...JSON.stringify(uri ?? null).matchAll(/"Fn::GetAtt":\["(\w+)","Arn"\]/g)];
  const id = mentioned
    .map(([, name]) => name!)
    .find((name) => resources[name]?.Type === "AWS::Lambda::Function");
  if (id === undefined) throw new LocalProblem(`${where} names no function of this stack`);
  return id;
}

function readGatewayResponse({ Properties = {} }: CfnResource): GatewayResponseDefinition {
  const templates = Object.entries((Properties.ResponseTemplates ?? {}) as Record<string, string>);
  const parameters = Object.entries((Properties.ResponseParameters ?? {}) as Record<string, string>);
  const [contentType, template] =
    templates.find(([type]) => type === "application/json") ?? templates[0] ?? [];
  return {
    responseType: String(Properties.ResponseType),
    ...(Properties.StatusCode !== undefined && { statusCode: Number(Properties.StatusCode) }),
    ...(template !== undefined && { contentType, template }),
    headers: Object.fromEntries(
      parameters.map(([name, value]) => [name.replace("gatewayresponse.header.", ""), value]),
    ),
  };
}

const RATE = /^rate\((\d+) (minute|hour|day)s?\)$/;
const UNITS_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

function readSchedules(resources: CfnResources): ScheduleDefinition[] {
  return ofType(resources, "AWS::Events::Rule").flatMap(([id, { Properties = {} }]) => {
    const { ScheduleExpression, Targets = [] } = Properties as {
      ScheduleExpression?: string;
      Targets?: { Arn?: unknown }[];
    };
    const [, amount, unit] = RATE.exec(ScheduleExpression ?? "") ?? [];
    if (amount === undefined) {
      throw new LocalProblem(
        `${id}.ScheduleExpression: only rate(...) runs locally, not ${ScheduleExpression}`,
      );
    }
    const everyMs = Number(amount) * UNITS_MS[unit!]!;
    return Targets.map(({ Arn }) => ({ functionId: findFunction(resources, Arn, `${id}.Targets`), everyMs }));
  });
}

interface MachineDefinition {
  readonly StartAt: string;
  readonly TimeoutSeconds: number;
  readonly States: Readonly<Record<string, MapState | TaskState>>;
}

interface TaskState {
  readonly Type: "Task";
  readonly End?: boolean;
  readonly Resource: string;
}

interface MapState {
  readonly Type: "Map";
  readonly End?: boolean;
  readonly ItemsPath: string;
  readonly ItemSelector: Readonly<Record<string, string>>;
  readonly MaxConcurrency: number;
  readonly ItemProcessor: {
    readonly StartAt: string;
    readonly States: Readonly<Record<string, TaskState>>;
  };
}

function readStateMachines(
  resources: CfnResources,
  names: Readonly<Record<string, string>>,
  resolve: Resolve,
): StateMachineDefinition[] {
  return ofType(resources, "AWS::StepFunctions::StateMachine").map(([id, { Properties = {} }]) => {
    const where = `${id}.DefinitionString`;
    const text = String(resolve(Properties.DefinitionString, where));
    const { StartAt, States, TimeoutSeconds } = JSON.parse(text) as MachineDefinition;
    const first = States[StartAt];
    const map = first?.Type === "Map" ? first : undefined;
    const task = first?.Type === "Map" ? first.ItemProcessor?.States[first.ItemProcessor.StartAt] : first;
    if (first?.End !== true || task?.Type !== "Task")
      throw new LocalProblem(`${where}: only one Task, or a Map with one, runs locally`);
    const called = task.Resource.split(":").at(-1);
    const functionId = Object.keys(names).find((each) => names[each] === called);
    if (functionId === undefined) throw new LocalProblem(`${where}: ${task.Resource} is no function`);
    return {
      name: names[id]!,
      functionId,
      timeoutMs: TimeoutSeconds * 1000,
      map: map && {
        maxConcurrency: map.MaxConcurrency,
        itemsPath: map.ItemsPath,
        itemSelector: map.ItemSelector,
      },
    };
  });
}

/** Lambda's default for a DynamoDB stream. */
const BATCH_SIZE = 100;

function readStreams(resources: CfnResources, names: Readonly<Record<string, string>>): StreamDefinition[] {
  return ofType(resources, "AWS::Lambda::EventSourceMapping").map(([id, { Properties = {} }]) => {
    const { FunctionName, EventSourceArn, BatchSize, FilterCriteria } = Properties as {
      FunctionName?: { Ref?: string };
      EventSourceArn?: { "Fn::GetAtt"?: [string, string] };
      BatchSize?: number;
      FilterCriteria?: { Filters: { Pattern: string }[] };
    };
    const [tableId = "", attribute] = EventSourceArn?.["Fn::GetAtt"] ?? [];
    const tableName = names[tableId];
    if (attribute !== "StreamArn" || tableName === undefined) {
      throw new LocalProblem(`${id}.EventSourceArn: only the stream of a table of this stack runs locally`);
    }
    const functionId = FunctionName?.Ref ?? "";
    if (resources[functionId]?.Type !== "AWS::Lambda::Function") {
      throw new LocalProblem(`${id}.FunctionName names no function of this stack`);
    }
    const patterns = FilterCriteria?.Filters ?? [{ Pattern: "{}" }];
    return {
      functionId,
      tableName,
      batchSize: Number(BatchSize ?? BATCH_SIZE),
      matches: patterns.map(({ Pattern }) => compilePattern(JSON.parse(Pattern), `${id}.FilterCriteria`)),
    };
  });
}

/** Omits functions that are part of the deployment and never run locally: nothing in the template calls them. */
function functionsWithCode(resources: CfnResources): [string, CfnResource][] {
  const routes = readRoutes(resources).filter((route) => "functionId" in route);
  const names = nameResources(resources);
  const streams = readStreams(resources, names);
  const machines = readStateMachines(resources, names, makeResolver(resources, names));
  const { sockets } = readSockets(resources);
  const used = new Set([
    ...[
      ...routes,
      ...Object.values(readAuthorizers(resources)),
      ...readSchedules(resources),
      ...streams,
      ...machines,
    ].map(({ functionId }) => functionId),
    ...(sockets ? [sockets.connect, sockets.message, sockets.disconnect] : []),
  ]);
  return ofType(resources, "AWS::Lambda::Function").filter(([id]) => used.has(id));
}

function readFunction(
  id: string,
  { Properties = {} }: CfnResource,
  folder: string,
  names: Readonly<Record<string, string>>,
  resolve: Resolve,
): FunctionDefinition {
  const { S3Key } = (Properties.Code ?? {}) as { S3Key?: unknown };
  const key = String(resolve(S3Key, `${id}.Code.S3Key`));
  const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
  const environment = resolve(Variables, `${id}.Environment.Variables`) as Record<string, unknown>;
  return {
    name: names[id]!,
    bundleFolder: resolvePath(folder, `asset.${key.replace(/\.zip$/, "")}`),
    handler: String(Properties.Handler),
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, String(value)]),
    ),
    timeoutMs: Number(Properties.Timeout ?? 3) * 1000,
    memoryMb: Number(Properties.MemorySize ?? 128),
  };
}

function readStores(
  resources: CfnResources,
  type: string,
  names: Readonly<Record<string, string>>,
): StoreDefinition[] {
  return ofType(resources, type).map(([id, resource]) => ({
    name: names[id]!,
    properties: resource.Properties ?? {},
  }));
}
