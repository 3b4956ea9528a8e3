/**
 * Compares the roles of the template with the functions' calls: drives every route and checks each call to a store against the policy
 * of the function that made it. A call that its role does not allow fails the test, and so does a permission that no call needs.
 */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { GROUPS } from "../../functions/routes.ts";
import type { Route } from "../../functions/shared/edge/route.ts";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { NOT_MEASURED, RECIPES, type Send, type Shot } from "../bench/recipes.ts";
import { makeBulkyPcap } from "../helpers/captures/pcap.ts";
import { hasSimulator, simulate } from "../helpers/iam/simulate.ts";
import { allowing, isLike, type Requirement, requirementsOf } from "../helpers/service/authorization.ts";
import { settles } from "../helpers/settles.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { type Statement, statementsOfFunction } from "../helpers/stack/policies.ts";
import { templateOf } from "../helpers/stack/stack.ts";
import { leavePendingRun } from "../helpers/stores/pending-run.ts";
import { type RecordedCall, type Recorder, startRecorder } from "../helpers/stores/recorder.ts";

const PASSWORD = "a first password that nobody guesses";
const DAY_MS = 86_400_000;

/** Constructs of the stack: the groups with stores, and the functions without routes. */
const FUNCTIONS = [
  ...GROUPS.map(({ name }) => name),
  "Authorizer",
  "labcases",
  "guests",
  "sweeper",
  "publisher",
  "sockets",
  "watcher",
];

/** Groups whose functions read no store. */
const STORELESS = ["docs", "page", "version"];

const CONSOLES = "a console types and runs the lab: test/integration/console-sockets.test.ts";

const IOU = "an IOU node is made on a registered compute";
const ON_COMPUTE = "a node is on a registered compute: test/integration/computes.test.ts";
const LEFT = "a follower leaves, or has not opened, while events are published";
const FOLLOWED =
  "a change is published while a follower over a WebSocket is open: test/integration/sockets.test.ts";
const REPORTS = "a client follows a lab on a registered compute: test/integration/compute-events.test.ts";
const SWEEPS = "the state machine is no store: test/integration/lab-sweeps.test.ts";
const NO_EVENTS = "a stream without events is followed";
const CLAIMED = "the number of a console is claimed by another node";

/** Lambda reads the table's stream with the role of the function that gets the changes; the function itself makes no such calls. */
const READS_STREAM = [
  ...["DescribeStream", "GetRecords", "GetShardIterator"].map(
    (action) => `publisher dynamodb:${action} <TableState.StreamArn>`,
  ),
  "publisher dynamodb:ListStreams <TableState.Arn>/stream/*",
];

const COMMITTED =
  "a run with guests is committed, which takes an image: test/integration/linux-nodes.test.ts";

/** The function `guests` calls this after it has found that the service has no such image. */
const COMMITS_GUESTS = [
  ...["BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"].map(
    (action) => `dynamodb:${action} PROJECT#*`,
  ),
  ...["GetItem", "UpdateItem"].map((action) => `dynamodb:${action} USAGE#*`),
  "dynamodb:Query SERVICE",
  "dynamodb:Query USER#*",
  ...["GetObject", "PutObject", "DeleteObject"].flatMap((action) =>
    ["guests", "commits"].map((prefix) => `s3:${action} <BucketData.Arn>/${prefix}/*`),
  ),
  "s3:PutObject <BucketData.Arn>/segments/*",
  "s3:DeleteObject <BucketData.Arn>/segments/*",
  "s3:PutObject <BucketData.Arn>/labs/*",
  "s3:PutObject <BucketData.Arn>/sweeps/*",
  "s3:GetObject <BucketData.Arn>/sweeps/*",
  "s3:ListBucket <BucketData.Arn>",
];

const LARGE = "a lab is large: test/integration/large-labs.test.ts";

/** The prefix of what large runs leave: the functions that read it, that write it, and that delete it. */
const LARGE_RUNS = [
  ...["nodes", "actions", "files", "snapshots", "copies", "links", "sweeper", "publisher"].map(
    (name) => `${name} s3:GetObject`,
  ),
  ...["projects", "runs", "guests", "sockets", "archives"].flatMap((name) =>
    ["GetObject", "PutObject", "DeleteObject"].map((action) => `${name} s3:${action}`),
  ),
  "sweeper s3:DeleteObject",
].map((grant) => `${grant} <BucketData.Arn>/states/*`);

const LINUX_CONSOLES =
  "lines of a console run a lab with Linux nodes, which takes an image: test/integration/linux-consoles.test.ts";

/** Permissions for conflicts and interrupted requests, which a test cannot cause at will, with the reason for each. */
const RARE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(READS_STREAM.map((grant) => [grant, "Lambda reads the table's stream"])),
  ...Object.fromEntries(LARGE_RUNS.map((grant) => [grant, LARGE])),
  "publisher s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  ...Object.fromEntries(COMMITS_GUESTS.map((grant) => [`guests ${grant}`, COMMITTED])),
  ...Object.fromEntries(
    ["GetItem", "Query", "UpdateItem", "DeleteItem"].map((action) => [
      `guests dynamodb:${action} CONSOLE#*`,
      LINUX_CONSOLES,
    ]),
  ),
  ...Object.fromEntries(
    ["GetObject", "PutObject"].map((action) => [
      `labs s3:${action} <BucketData.Arn>/runs/*`,
      "a lab file with Linux nodes is run, which takes an image: test/integration/linux-nodes.test.ts",
    ]),
  ),
  "guests dynamodb:UpdateItem PACE#*": LINUX_CONSOLES,
  "sockets s3:PutObject <BucketData.Arn>/runs/*": LINUX_CONSOLES,
  "nodes s3:DeleteObject <BucketData.Arn>/guests/*": COMMITTED,
  "projects s3:DeleteObject <BucketData.Arn>/guests/*": COMMITTED,
  "sweeper s3:DeleteObject <BucketData.Arn>/guests/*": COMMITTED,
  ...Object.fromEntries(
    ["GetObject", "PutObject", "DeleteObject"].map((action) => [
      `snapshots s3:${action} <BucketData.Arn>/guests/*`,
      COMMITTED,
    ]),
  ),
  "publisher dynamodb:GetItem SOCKETS#*": LEFT,
  "publisher dynamodb:DeleteItem SOCKETS#*": LEFT,
  "publisher dynamodb:UpdateItem SOCKETS#*": FOLLOWED,
  "publisher dynamodb:Query EVENTS#*": FOLLOWED,
  "publisher dynamodb:PutItem EVENTS#*": FOLLOWED,
  "publisher dynamodb:UpdateItem EVENTS#*": FOLLOWED,
  "publisher dynamodb:Query SOCKETS#*": FOLLOWED,
  "publisher dynamodb:GetItem PROJECT#*": FOLLOWED,
  "notifications dynamodb:PutItem EVENTS#*": NO_EVENTS,
  "notifications dynamodb:Query PROJECT#*": REPORTS,
  "notifications dynamodb:UpdateItem PROJECT#*": REPORTS,
  "watcher dynamodb:Query SOCKETS#*": REPORTS,
  "watcher dynamodb:PutItem SOCKETS#*": REPORTS,
  "watcher dynamodb:Query SERVICE": REPORTS,
  "watcher dynamodb:BatchGetItem PROJECT#*": REPORTS,
  "watcher dynamodb:GetItem PROJECT#*": REPORTS,
  "watcher dynamodb:Query PROJECT#*": REPORTS,
  "watcher dynamodb:UpdateItem PROJECT#*": REPORTS,
  "sockets dynamodb:PutItem EVENTS#*": NO_EVENTS,
  "templates dynamodb:Query SERVICE": "a template is used on a compute that is not local",
  "nodes dynamodb:Query SERVICE": ON_COMPUTE,
  "nodes dynamodb:UpdateItem SERVICE": IOU,
  "templates dynamodb:UpdateItem SERVICE": IOU,
  "actions dynamodb:UpdateItem SERVICE": IOU,
  "links dynamodb:Query SERVICE": ON_COMPUTE,
  "runs dynamodb:Query SERVICE": ON_COMPUTE,
  "projects dynamodb:Query SERVICE": ON_COMPUTE,
  "files dynamodb:Query SERVICE": ON_COMPUTE,
  "actions dynamodb:Query SERVICE": ON_COMPUTE,
  "captures dynamodb:Query SERVICE": ON_COMPUTE,
  "follow dynamodb:Query SERVICE": ON_COMPUTE,
  "sockets dynamodb:Query SERVICE": ON_COMPUTE,
  "templates dynamodb:Query PROJECT#*": CLAIMED,
  "actions dynamodb:Query PROJECT#*": CLAIMED,
  "sockets dynamodb:DeleteItem PROJECT#*": "a pending restore is found",
  "sockets dynamodb:ConditionCheckItem PROJECT#*": "a pending restore is found",
  "templates dynamodb:DeleteItem PROJECT#*": "a pending restore is found",
  "templates dynamodb:ConditionCheckItem PROJECT#*": "a pending restore is found",
  "actions dynamodb:DeleteItem PROJECT#*": "a pending restore is found",
  "actions dynamodb:ConditionCheckItem PROJECT#*": "a pending restore is found",
  "archives dynamodb:ConditionCheckItem PROJECT#*": "a pending restore is found",
  "snapshots dynamodb:BatchWriteItem PROJECT#*":
    "a restored snapshot removes captures of more than eight segments",
  "snapshots s3:DeleteObject <BucketData.Arn>/captures/*": "a restored snapshot removes links with captures",
  "snapshots dynamodb:GetItem USAGE#*": "the bytes in a user's captures are recounted",
  "copies dynamodb:GetItem USAGE#*": "the bytes in a user's captures are recounted",
  "snapshots dynamodb:Query USER#*": "the bytes in a user's captures are recounted",
  "copies dynamodb:Query USER#*": "the bytes in a user's captures are recounted",
  "snapshots dynamodb:UpdateItem PACE#*": "the stored response of an idempotency key is larger than 1 KiB",
  "copies dynamodb:UpdateItem PACE#*": "the stored response of an idempotency key is larger than 1 KiB",
  "snapshots s3:GetObject <BucketData.Arn>/files/*": "S3 reads the source of a copy within the bucket",
  "copies s3:GetObject <BucketData.Arn>/files/*": "S3 reads the source of a copy within the bucket",
  "snapshots s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "copies s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "copies dynamodb:DeleteItem PROJECT#*": "a pending restore is found",
  "copies dynamodb:GetItem PROJECT#*": "an item that is claimed by another request is read again",
  "copies s3:DeleteObject <BucketData.Arn>/files/*": "a duplicate is refused after its files are copied",
  "copies s3:DeleteObject <BucketData.Arn>/snapshots/*":
    "a duplicate is refused after its snapshots are copied",
  "projects s3:DeleteObject <BucketData.Arn>/snapshots/*": "a project with snapshots is deleted",
  "sweeper s3:DeleteObject <BucketData.Arn>/snapshots/*": "a snapshot was interrupted a day ago",
  "files dynamodb:DeleteItem PROJECT#*": "a pending restore is found",
  "files dynamodb:ConditionCheckItem PROJECT#*": "a pending restore is found",
  "projects dynamodb:GetItem USAGE#*": "the bytes in a user's captures are recounted",
  "links dynamodb:GetItem USAGE#*": "the bytes in a user's captures are recounted",
  "runs dynamodb:GetItem USAGE#*": "the bytes in a user's captures are recounted",
  "links dynamodb:Query USER#*": "the bytes in a user's captures are recounted",
  "runs dynamodb:Query USER#*": "the bytes in a user's captures are recounted",
  "projects dynamodb:BatchWriteItem PROJECT#*": "a capture of more than eight segments is stored, or deleted",
  "nodes dynamodb:BatchWriteItem PROJECT#*": "a capture of more than eight segments is stored, or deleted",
  "links dynamodb:BatchWriteItem PROJECT#*": "a capture of more than eight segments is stored, or deleted",
  "captures dynamodb:BatchWriteItem PROJECT#*": "a capture of more than eight segments is stored, or deleted",
  "sweeper dynamodb:BatchWriteItem PROJECT#*": "a capture of more than eight segments is stored, or deleted",
  "runs dynamodb:PutItem PROJECT#*": "a pending commit writes a page of segments",
  "captures dynamodb:PutItem PROJECT#*": "a pending commit writes a page of segments",
  "sweeper dynamodb:PutItem PROJECT#*": "a pending commit writes a page of segments",
  "nodes dynamodb:GetItem PROJECT#*":
    "an item with a failed condition, or claimed by another request, is read again",
  "links dynamodb:GetItem PROJECT#*":
    "an item with a failed condition, or claimed by another request, is read again",
  "runs dynamodb:GetItem PROJECT#*":
    "an item with a failed condition, or claimed by another request, is read again",
  "links s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "nodes s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "drawings s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "runs s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "runs s3:PutObject <BucketData.Arn>/commits/*": "a run changes more than one transaction holds",
  "projects s3:PutObject <BucketData.Arn>/commits/*": "a run changes more than one transaction holds",
  "captures s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "links s3:DeleteObject <BucketData.Arn>/segments/*": "one of two concurrent replays is rolled back",
  "Authorizer dynamodb:GetItem FAILURES#*":
    "no token is left: the pending attempts of other requests are read",
  "templates dynamodb:UpdateItem PACE#*": "the stored response of an idempotency key is larger than 1 KiB",
  "templates dynamodb:GetItem PROJECT#*":
    "an item with a failed condition, or claimed by another request, is read again",
  "templates s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "actions dynamodb:UpdateItem PACE#*": "the stored response of an idempotency key is larger than 1 KiB",
  "actions dynamodb:GetItem PROJECT#*":
    "an item with a failed condition, or claimed by another request, is read again",
  "actions s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "projects dynamodb:UpdateItem PACE#*": "the stored response of an idempotency key is larger than 1 KiB",
  "drawings dynamodb:UpdateItem PACE#*": "the stored response of an idempotency key is larger than 1 KiB",
  "nodes dynamodb:UpdateItem PACE#*": "the stored response of an idempotency key is larger than 1 KiB",
  "projects dynamodb:BatchGetItem PROJECT#*":
    "packets arrived while a capture was being stopped; its link is read again",
  "projects s3:PutObject <BucketData.Arn>/segments/*": "a capture started while its project was being opened",
  "projects s3:GetObject <BucketData.Arn>/captures/*": "another request has stored the capture meanwhile",
  "projects s3:AbortMultipartUpload <BucketData.Arn>/captures/*": "an upload in parts fails",
  "links s3:GetObject <BucketData.Arn>/captures/*": "another request has stored the capture meanwhile",
  "follow s3:GetObject <BucketData.Arn>/captures/*": "a streamed capture was stored before its end was read",
  "follow s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "follow dynamodb:PutItem PROJECT#*": "a pending commit writes a page of segments",
  "follow dynamodb:GetItem PROJECT#*":
    "an item with a failed condition, or claimed by another request, is read again",
  "follow dynamodb:Query PROJECT#*": "a capture of more than eight segments is read",
  "links s3:AbortMultipartUpload <BucketData.Arn>/captures/*": "an upload in parts fails",
  "runs s3:DeleteObject <BucketData.Arn>/segments/*": "one of two concurrent runs is rolled back",
  "captures dynamodb:GetItem PROJECT#*": "a capture that was stopping when it was read is read again",
  "captures dynamodb:BatchWriteItem CAPTURE#*": "a capture whose storing was interrupted is deleted",
  "captures s3:PutObject <BucketData.Arn>/captures/*":
    "a capture whose storing was interrupted is downloaded",
  "captures s3:AbortMultipartUpload <BucketData.Arn>/captures/*": "an upload in parts fails",
  "captures s3:DeleteObject <BucketData.Arn>/segments/*":
    "a capture whose storing was interrupted is deleted",
  "archives s3:ListBucket <BucketData.Arn>": "a file or a symbol was replaced between its item and its bytes",
  "archives dynamodb:GetItem USAGE#*": "the bytes of a user are recounted",
  "archives dynamodb:Query USER#*": "the bytes of a user are recounted",
  "archives s3:DeleteObject <BucketData.Arn>/files/*": "an import fails after it has stored files",
  "archives s3:DeleteObject <BucketData.Arn>/snapshots/*": "an import fails after it has stored files",
  "archives dynamodb:DeleteItem PROJECT#*": "an import fails after it has stored items",
  "files dynamodb:GetItem USAGE#*": "the bytes of a user are recounted",
  "files dynamodb:Query USER#*": "the bytes of a user are recounted",
  "files s3:ListBucket <BucketData.Arn>": "a file was replaced between its item and its bytes",
  "symbols s3:ListBucket <BucketData.Arn>": "a symbol was replaced between its item and its bytes",
  "sockets dynamodb:GetItem CONSOLE#*": CONSOLES,
  "sockets dynamodb:Query CONSOLE#*": CONSOLES,
  "sockets dynamodb:PutItem CONSOLE#*": CONSOLES,
  "sockets dynamodb:UpdateItem CONSOLE#*": CONSOLES,
  "sockets dynamodb:DeleteItem CONSOLE#*": CONSOLES,
  "sockets dynamodb:GetItem PROJECT#*": CONSOLES,
  "sockets dynamodb:BatchGetItem PROJECT#*": CONSOLES,
  "sockets dynamodb:Query PROJECT#*": CONSOLES,
  "sockets dynamodb:PutItem PROJECT#*": CONSOLES,
  "sockets dynamodb:UpdateItem PROJECT#*": CONSOLES,
  "sockets dynamodb:UpdateItem PACE#*": CONSOLES,
  "sockets dynamodb:GetItem USAGE#*": CONSOLES,
  "sockets dynamodb:UpdateItem USAGE#*": CONSOLES,
  "sockets dynamodb:Query USER#*": CONSOLES,
  "sockets s3:ListBucket <BucketData.Arn>": CONSOLES,
  "sockets s3:GetObject <BucketData.Arn>/commits/*": CONSOLES,
  "sockets s3:PutObject <BucketData.Arn>/commits/*": CONSOLES,
  "sockets s3:DeleteObject <BucketData.Arn>/commits/*": CONSOLES,
  "sockets s3:PutObject <BucketData.Arn>/segments/*": CONSOLES,
  "sockets s3:DeleteObject <BucketData.Arn>/segments/*": CONSOLES,
  "publisher dynamodb:DeleteItem CONSOLE#*": CONSOLES,
  "sockets dynamodb:UpdateItem SOCKETS":
    "the table's stream reports a new connection; there is none in this test",
  "sockets dynamodb:UpdateItem SOCKETS#*": "the table's stream reports a new connection",
  "sockets dynamodb:GetItem SOCKETS#*": "another function lets go of a follower",
  "sockets dynamodb:Query EVENTS#*": "the table's stream reports a new connection",
  "sockets dynamodb:Query SOCKETS": "connections are kept alive on a schedule",
  "sweeper dynamodb:Query SERVICE":
    "a function has died with a node on a compute, or an expired project has one",
  "labs s3:GetObject <BucketData.Arn>/labs/*": "a client downloads a capture by its presigned URL",
  "labs states:StartExecution <labcasesMachine>": SWEEPS,
  "labs states:DescribeExecution arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<labcasesMachine.Name>:*":
    SWEEPS,
  "labs states:StopExecution arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<labcasesMachine.Name>:*":
    SWEEPS,
  "labcases s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "labs s3:ListBucket <BucketData.Arn>": "a missing object is reported as missing",
  "sweeper s3:GetObject <BucketData.Arn>/captures/*": "another request has stored the capture meanwhile",
  "sweeper s3:AbortMultipartUpload <BucketData.Arn>/captures/*": "an upload in parts fails",
};

/** A built-in template. */
const VPCS = "19021f99-e36f-394d-b4a1-8aaa902ab9cc";

let stack: LocalStack;
let dynamodb: Recorder;
let s3: Recorder;
const statements = new Map<string, readonly Statement[]>();

beforeAll(async () => {
  const template = templateOf({ auth: "basic", ephemeral: "true" });
  for (const name of FUNCTIONS) statements.set(name, statementsOfFunction(template, name));
  stack = await startInMemory({
    auth: "basic",
    adminPassword: PASSWORD,
    streams: true,
    endpoints: async (actual) => {
      dynamodb = await startRecorder(actual.dynamodb);
      s3 = await startRecorder(actual.s3);
      return { dynamodb: dynamodb.url, s3: s3.url };
    },
  });
}, 300_000);

afterAll(async () => {
  await stack?.stop();
  dynamodb?.close();
  s3?.close();
});

const asAdmin = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}` };

async function shoot({ method, path, body }: Shot, headers: Record<string, string> = {}) {
  const response = await fetch(`${stack.url}/${stack.stage}${path}`, {
    method,
    headers: { ...asAdmin, ...headers },
    body: body ?? null,
  });
  return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString() };
}

const send: Send = async (shot) => {
  // A run with guests that fails is the response of its request.
  const { status, text } = await shoot(shot, { prefer: "wait=20" });
  if (status >= 300) throw new Error(`${shot.method} ${shot.path}: ${status} ${text}`);
  return text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined;
};
const post = (path: string, body: unknown = {}) => send({ method: "POST", path, body: JSON.stringify(body) });
const get = (path: string) => send({ method: "GET", path });

/** Streams the running capture until the response begins. */
async function beginFollowing(link: string): Promise<Response> {
  const response = await fetch(`${stack.url}/${stack.stage}${link}/pcap`, { headers: asAdmin });
  expect(response.status).toBe(200);
  return response;
}

/** How often the function of the WebSocket API has made a call about a connection. */
const connectionCalls = (operation: string): number =>
  needed().filter(
    ({ caller, required }) => caller === "sockets" && required.action === `dynamodb:${operation}`,
  ).length;

let counter = 0;
const fresh = (stem: string): string => `${stem}-${process.pid}-${counter++}`;

/** Two PCs on a link with a capture that has packets: an item, and an object. */
async function makeLab(settings: object = {}) {
  const { project_id: projectId } = await post("/projects", { name: fresh("roles"), ...settings });
  const path = `/projects/${projectId}`;
  const node = (fields: object = {}) =>
    post(`${path}/nodes`, { name: "PC", node_type: "vpcs", compute_id: "local", ...fields });
  const [{ node_id: first }, { node_id: second }] = [await node(), await node()];
  const ends = [first, second].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id: linkId } = await post(`${path}/links`, { nodes: ends });
  const link = `${path}/links/${linkId}`;
  await post(`${link}/start_capture`);
  await post(`${path}/nodes/start`);
  const commands = ["ip 10.0.0.1/24", "ping 10.0.0.2 -c 1"];
  await post(`${path}/nodes/${first}/console`, { commands });
  await send({ method: "POST", path: `${link}/replay`, body: makeBulkyPcap(3) });
  return { projectId, path, first, nodeId: second, linkId, link, node };
}

/** Sends each request of each route twice under one idempotency key, and once so that it is rejected. */
async function driveRoute(name: string, route: Route): Promise<void> {
  const [shot] = await RECIPES[name]!(send, 1);
  const headers = { "idempotency-key": fresh("key") };
  const { status, text } = await shoot(shot!, headers);
  expect(status, `${name}: ${text}`).toBeLessThan(300);
  if (!route.idempotent) return;
  expect((await shoot(shot!, headers)).status).toBe(status);
  // A compute is rejected because its name is in use by now, and a new template because its id is.
  const path = shot!.path.replace(/^\/(projects|templates)\/[^/]+/, `/$1/${crypto.randomUUID()}`);
  const again = await shoot({ ...shot!, path }, { "idempotency-key": fresh("key") });
  expect([404, 409], `${name}: ${again.text}`).toContain(again.status);
}

const ROUTES = GROUPS.flatMap(({ routes }) => Object.entries(routes) as [string, Route][]).filter(
  ([name]) => !NOT_MEASURED.has(name),
);

interface Made {
  readonly caller: string;
  readonly required: Requirement;
}

/** Functions by the names of their resources. */
const functionNames = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(stack.resources).flatMap(([id, physical]) =>
      FUNCTIONS.filter((name) => id.startsWith(`${name}Function`)).map((name) => [physical, name] as const),
    ),
  );

/** What the calls need that have a response: their bodies are large, and tests that wait ask often. */
const madeBy = new WeakMap<RecordedCall, Made[]>();

function madeOf(call: RecordedCall, names: ReadonlyMap<string, string>): Made[] {
  const caller = names.get(call.caller) ?? call.caller;
  if (!FUNCTIONS.includes(caller))
    throw new Error(`A call of "${call.caller}", which is no function: ${call.operation} ${call.url}`);
  const made = requirementsOf(call).map((required) => ({ caller, required }));
  if (call.status !== 0) madeBy.set(call, made);
  return made;
}

/** The actions that the functions used so far, without the test's own calls, which have no function. */
function needed(): Made[] {
  const names = functionNames();
  return [...dynamodb.calls, ...s3.calls].flatMap((call) => madeBy.get(call) ?? madeOf(call, names));
}

/** A request without what differs between the objects of one kind. */
const kindOf = ({ action, resource, context }: Requirement): string =>
  JSON.stringify([action, resource, context]).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{20,}|\d+/g, "0");

const describeNeed = ({ caller, required: { action, resource, context } }: Made): string =>
  `${caller} ${action} ${resource} ${JSON.stringify(context)}`;

describe("the functions' calls", { timeout: 300_000 }, () => {
  test.each(ROUTES)("%s is driven", driveRoute);

  test("a capture stream, up to its end", async () => {
    const { link } = await makeLab();
    const following = await beginFollowing(link);
    await post(`${link}/stop_capture`);
    await following.arrayBuffer();
  });

  test("streams of events, until they have begun to read", async () => {
    const { path } = await makeLab();
    for (const stream of ["/notifications", `${path}/notifications`]) {
      const gone = new AbortController();
      const init = { headers: asAdmin, signal: gone.signal };
      const response = await fetch(`${stack.url}/${stack.stage}${stream}`, init);
      expect(response.status).toBe(200);
      const reader = response.body!.getReader();
      // The ping, then the events of the change or another ping.
      await reader.read();
      await post(`${path}/nodes/stop`);
      await reader.read();
      gone.abort();
    }
  });

  test("projects that are closed during a capture, opened with all nodes, and deleted with their contents", async () => {
    const { path } = await makeLab({ auto_start: true });
    await post(`${path}/close`);
    await post(`${path}/open`);
    await send({ method: "PUT", path, body: JSON.stringify({ name: fresh("renamed") }) });
    for (const body of ["A lab", "A better lab"])
      await send({ method: "POST", path: `${path}/files/README.txt`, body });
    await send({ method: "DELETE", path });
    const running = await makeLab();
    await send({ method: "DELETE", path: running.path });
  });

  test("nodes and links that are deleted during captures", async () => {
    const [one, other] = [await makeLab(), await makeLab()];
    for (const { path, first, link } of [one, other]) {
      await post(`${link}/stop_capture`);
      await post(`${link}/start_capture`);
      await post(`${path}/nodes/${first}/console`, { commands: ["ping 10.0.0.2 -c 1"] });
    }
    await send({ method: "DELETE", path: `${one.path}/nodes/${one.first}` });
    await send({ method: "DELETE", path: other.link });
  });

  test("an exported project with a symbol, imported where the symbol is not", async () => {
    const { path, node } = await makeLab();
    const symbol = `${fresh("symbol")}.svg`;
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"/>';
    await send({ method: "POST", path: `/symbols/${symbol}/raw`, body });
    await node({ name: "Drawn", symbol });
    const exported = await fetch(`${stack.url}/${stack.stage}${path}/export`, { headers: asAdmin });
    const archive = Buffer.from(await exported.arrayBuffer());
    await send({ method: "DELETE", path: `/symbols/${symbol}/raw` });
    await send({ method: "POST", path: `/projects/${crypto.randomUUID()}/import`, body: archive });
    await get(`/symbols/${symbol}/dimensions`);
  });

  test("renamed nodes and projects, symbols that are replaced and used", async () => {
    const { path, nodeId, node } = await makeLab();
    await send({ method: "PUT", path: `${path}/nodes/${nodeId}`, body: JSON.stringify({ name: "Other" }) });
    const symbol = `${fresh("symbol")}.svg`;
    for (const width of [10, 20]) {
      const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="5"/>`;
      await send({ method: "POST", path: `/symbols/${symbol}/raw`, body });
    }
    await get(`/symbols/${symbol}/dimensions`);
    await node({ name: "Drawn", symbol });
    const drawn = { name: symbol, template_type: "vpcs", compute_id: "local", symbol };
    const { template_id } = await post("/templates", drawn);
    await post(`${path}/templates/${template_id}`, { x: 0, y: 0 });
    await post(`${path}/nodes/${nodeId}/stop`);
    await post(`${path}/nodes/${nodeId}/duplicate`, { x: 0, y: 0 });
    await send({ method: "DELETE", path: `/symbols/${symbol}/raw` });
    await expect(node({ compute_id: "elsewhere" })).rejects.toThrow("404");
    await get("/usage");
  });

  test("captures that are read while they run", async () => {
    const { link } = await makeLab();
    const [{ capture_id }] = await get(`${link}/captures`);
    expect((await get(`${link}/captures/${capture_id}/packets`)).packets.length).toBeGreaterThan(0);
  });

  test("a run with many captures", async () => {
    const { path, first } = await makeLab();
    const { node_id: hub } = await post(`${path}/nodes`, {
      name: "HUB",
      node_type: "ethernet_hub",
      compute_id: "local",
    });
    const [old] = await get(`${path}/links`);
    await send({ method: "DELETE", path: `${path}/links/${old.link_id}` });
    const pcs = [first];
    for (let number = 0; number < 5; number++) {
      const pc = { name: `PC${number + 3}`, node_type: "vpcs", compute_id: "local" };
      pcs.push((await post(`${path}/nodes`, pc)).node_id);
    }
    for (const [port_number, node_id] of pcs.entries()) {
      const ends = [
        { node_id, adapter_number: 0, port_number: 0 },
        { node_id: hub, adapter_number: 0, port_number },
      ];
      const { link_id } = await post(`${path}/links`, { nodes: ends });
      await post(`${path}/links/${link_id}/start_capture`);
    }
    await post(`${path}/nodes/start`);
    await post(`${path}/nodes/${first}/console`, { commands: ["ip 10.0.0.1/24", "ping 10.0.0.9 -c 1"] });
  });

  test("a run with a guest whose image the service does not have", async () => {
    const { path } = await makeLab();
    const linux = { name: "L", node_type: "linux", compute_id: "local", properties: { image: "absent" } };
    const { node_id } = await post(`${path}/nodes`, linux);
    for (const start of [`${path}/nodes/${node_id}/start`, `${path}/nodes/start`])
      await expect(post(start)).rejects.toThrow("node.no-linux-image");
    await send({ method: "PUT", path, body: JSON.stringify({ auto_start: true }) });
    await post(`${path}/close`);
    await expect(post(`${path}/open`)).rejects.toThrow("node.no-linux-image");
    const body = "nodes: {L: {type: linux, image: absent}}";
    for (const path of ["/labs/run", "/labs/sweep"])
      await expect(send({ method: "POST", path, body })).rejects.toThrow("wirelab image push absent");
  });

  test("committed runs that are not written out, found by each function that reads projects", async () => {
    const meetings: ((lab: Awaited<ReturnType<typeof makeLab>>) => Promise<unknown>)[] = [
      ({ path }) => get(`${path}/stats`),
      ({ path }) => get(`${path}/nodes`),
      ({ path }) => get(`${path}/drawings`),
      ({ path }) => post(`${path}/nodes/console/reset`),
      ({ path }) => post(`${path}/templates/${VPCS}`, { x: 0, y: 0, compute_id: "local" }),
      ({ path }) => get(`${path}/snapshots`),
      ({ link }) => get(link),
      ({ link }) => get(`${link}/captures`),
      ({ path }) => shoot({ method: "GET", path: `${path}/files/README.txt` }),
      ({ path }) => shoot({ method: "GET", path: `${path}/export` }),
      ({ path, first }) => post(`${path}/nodes/${first}/console`, { commands: ["show"] }),
      async ({ link }) => (await beginFollowing(link)).body!.cancel(),
    ];
    for (const meet of meetings) {
      const lab = await makeLab();
      await leavePendingRun(stack, lab);
      await meet(lab);
      expect((await get(`${lab.path}/nodes/${lab.nodeId}`)).status).toBe("stopped");
    }
  });

  test("WebSockets, and requests for their paths that ask for none", async () => {
    const { path, first } = await makeLab();
    for (const socketPath of [
      "/notifications/ws",
      `${path}/notifications/ws`,
      `${path}/nodes/${first}/console/ws`,
    ])
      expect((await shoot({ method: "GET", path: socketPath })).status).toBe(400);
    const url = `${stack.url.replace("http", "ws")}/${stack.stage}`;
    for (const socketPath of ["/notifications/ws", `${path}/notifications/ws`]) {
      const socket = new WebSocket(url + socketPath, { headers: asAdmin });
      await once(socket, "open");
      socket.send("nothing that a channel reads");
      await settles(() => expect(connectionCalls("GetItem")).toBeGreaterThan(0));
      socket.close();
      await settles(() => expect(connectionCalls("DeleteItem")).toBeGreaterThan(0));
    }
  });

  test("a token in place of the password", async () => {
    const { token } = await post("/tokens");
    const headers = { authorization: `Bearer ${token}` };
    expect((await shoot({ method: "GET", path: "/projects" }, headers)).status).toBe(200);
  });

  test("namespaces, one of which is deleted, and one left to the sweeper", async () => {
    for (const namespace of ["deleted", "left"]) {
      const path = `/namespaces/${namespace}`;
      const body = JSON.stringify({ expires_at: new Date(Date.now() + DAY_MS).toISOString() });
      const { user, password } = await send({ method: "PUT", path, body });
      await get(path);
      const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
      const project = JSON.stringify({ name: "lab" });
      expect((await shoot({ method: "POST", path: "/projects", body: project }, headers)).status).toBe(201);
      expect((await shoot({ method: "GET", path: "/projects" }, headers)).status).toBe(200);
    }
    await send({ method: "DELETE", path: "/namespaces/deleted" });
  });

  test("wrong passwords", async () => {
    for (const password of ["a wrong one, for once", "another wrong one"]) {
      const authorization = `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`;
      expect((await shoot({ method: "GET", path: "/projects" }, { authorization })).status).toBe(401);
    }
  });

  test("the sweeper: expired projects, abandoned captures, orphans, pending runs, interrupted deletions", async () => {
    const { region, credentials, tableName, bucketName } = stack;
    Object.assign(process.env, {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      AWS_ENDPOINT_URL_S3: s3.url,
      AWS_SDK_UA_APP_ID: "sweeper/PTEnv/",
      TABLE_NAME: tableName,
      BUCKET_NAME: bucketName,
    });
    const { sweep } = await import("../../functions/sweeper/sweep.ts");
    const { countInto } = await import("../../functions/shared/edge/metrics.ts");
    const { listObjects, putObject } = await import("../../functions/shared/store/base/objects.ts");
    const expiring = await makeLab({ expires_at: new Date(Date.now() + DAY_MS).toISOString() });
    await post(`${expiring.link}/stop_capture`);
    const abandoned = await makeLab();
    const kept = await makeLab();
    await leavePendingRun(stack, kept);
    // The functions that write segments leave these orphans, not the sweeper.
    const before = s3.calls.length;
    for (const key of ["symbols/none", `segments/${kept.projectId}/none/0`, `files/${kept.projectId}/none`])
      await putObject(key, new Uint8Array(10), "application/octet-stream");
    (s3.calls as unknown[]).splice(before);
    const counts = {};
    await countInto(counts, () =>
      sweep({ nowMs: Date.now() + 40 * DAY_MS, abandonedMs: 30 * DAY_MS, remainingTimeMs: () => 600_000 }),
    );
    // One is that of a namespace.
    expect(counts).toMatchObject({ Sweeps: 1, ExpiredProjects: 2 });
    expect(counts).not.toHaveProperty("SweepFailures");
    expect((await get(`${abandoned.link}/captures`))[0].status).toBe("stopped");
    expect((await listObjects("symbols/none", 1)).objects).toEqual([]);
  });
});

describe("the roles", () => {
  test("allow every call that the functions made", () => {
    const all = needed();
    expect(new Set(all.map(({ caller }) => caller)).size).toBe(FUNCTIONS.length - STORELESS.length);
    const refused = all.filter(({ caller, required }) => !allowing(statements.get(caller)!, required));
    expect([...new Set(refused.map(describeNeed))]).toEqual([]);
  });

  test("allow no action that the functions do not use", () => {
    const all = needed();
    const isUsed = (name: string, action: string, resource: string, key?: string): boolean =>
      all.some(
        ({ caller, required }) =>
          caller === name &&
          required.action === action &&
          isLike(required.resource, resource) &&
          (key === undefined ||
            required.context["dynamodb:LeadingKeys"]!.some((value) => isLike(value, key))),
      );
    const unused = FUNCTIONS.flatMap((name) =>
      statements.get(name)!.flatMap(({ actions, resources, conditions }) => {
        const keys = conditions["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? [undefined];
        return actions
          .filter((action) => /^(dynamodb|s3):/.test(action))
          .flatMap((action) =>
            resources.flatMap((resource) =>
              keys
                .filter((key) => !isUsed(name, action, resource, key))
                .map((key) => `${name} ${action} ${key ?? resource}`),
            ),
          );
      }),
    );
    expect(unused.filter((grant) => RARE[grant] === undefined)).toEqual([]);
  });

  test("do not allow a function to make itself a user, to read another function's objects, or to scan", () => {
    const runs = statements.get("runs")!;
    const onUsers = { action: "dynamodb:UpdateItem", resource: "<TableState.Arn>" };
    const allows = (required: Requirement): boolean => allowing(runs, required) !== undefined;
    expect(allows({ ...onUsers, context: { "dynamodb:LeadingKeys": ["PACE#ann"] } })).toBe(true);
    expect(allows({ ...onUsers, context: { "dynamodb:LeadingKeys": ["USERS"] } })).toBe(false);
    expect(allows({ ...onUsers, context: { "dynamodb:LeadingKeys": ["PACE#ann", "USERS"] } })).toBe(false);
    expect(allows({ ...onUsers, action: "dynamodb:Scan", context: {} })).toBe(false);
    expect(allows({ action: "s3:PutObject", resource: "<BucketData.Arn>/symbols/a", context: {} })).toBe(
      false,
    );
  });

  test("allow and deny as another author's evaluator says, each request to each function", async ({
    skip,
  }) => {
    if (!(await hasSimulator())) skip("npx cannot fetch @cloud-copilot/iam-simulate");
    const kinds = new Map(needed().map(({ required }) => [kindOf(required), required]));
    const requests = FUNCTIONS.flatMap((role) => [...kinds.values()].map((required) => ({ role, required })));
    const verdicts = await simulate(statements, requests);
    const differing = requests.filter(
      ({ role, required }, index) =>
        (allowing(statements.get(role)!, required) !== undefined) !== verdicts[index],
    );
    expect(differing.map(({ role, required }) => describeNeed({ caller: role, required }))).toEqual([]);
    expect(verdicts.filter(Boolean).length).toBeGreaterThan(kinds.size);
    expect(verdicts.filter((allowed) => !allowed).length).toBeGreaterThan(kinds.size);
  });
});
