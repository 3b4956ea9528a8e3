/**
 * `node test/helpers/data-folder/make.ts NAME` makes a data folder with all kinds of items, as the code of this checkout writes it, and
 * what users read in it: test/fixtures/NAME.tar.gz and NAME.json.gz, which test/integration/earlier-data.test.ts opens with later code.
 * It takes two minutes, one of which is the time until the first run of the sweeper.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import WebSocket from "ws";
import { assemble } from "../../../infra/local/assemble.ts";
import { type LocalStack, startLocalStack } from "../../../infra/local/local-stack.ts";
import { FakeCompute } from "../compute/fake-compute.ts";
import { fill, fillWithoutUsers, type Made } from "./fill.ts";
import { countKinds, declaredKinds, readItems } from "./kinds.ts";
import { FIXTURES, type FolderRecord, openCopy } from "./open.ts";
import { inCommon, pathsOf, type Reading, readAll } from "./readings.ts";
import { ServiceUser } from "./service-user.ts";
import { addFinishedRun, addUser, keepForEver, leaveCommit, noteHelper, setGuest } from "./states.ts";

const PASSWORDS = { editor: "a password of the editor", viewer: "a password of the viewer" };
/** Read for a day, or an hour. */
const KEPT = ["request", "event", "event-source", "event-head"];
/** TCP port multiplexer, which no system serves. */
const CLOSED_PORT = 1;
const SWEEPER_WITHIN_S = 150;

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error("Name the fixture, such as data-688afe86");

const work = mkdtempSync(join(tmpdir(), "wirelab-make-"));
try {
  await make(name);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(0);

async function make(fixture: string): Promise<void> {
  const dataDir = join(work, "data");
  for (const auth of ["none", "basic"])
    await assemble(join(work, auth), { settings: { auth, ephemeral: "true" }, report: console.log });
  const started = { dataDir, port: 0, quiet: true };
  const first = await startLocalStack({ ...started, synth: join(work, "none") });
  const withoutUsers = await fillWithoutUsers(new ServiceUser(first));
  await first.stop();
  const stack = await startLocalStack({ ...started, synth: join(work, "basic") });
  const admin = new ServiceUser(stack, "admin", stack.firstUser!.password!);
  const compute = new FakeCompute();
  const computePort = await compute.start();
  const made = await fillAll(stack, admin, computePort);
  const streams = await followAll(stack, admin, made);
  // The publisher has new computes followed while there are followers.
  await admin.post("/computes", { protocol: "http", host: "127.0.0.1", port: computePort, name: "Rack 2" });
  await admin.get("/computes");
  await untilThere(stack, [
    "sweep",
    "watch-lease",
    "watch-call",
    "follower",
    "console",
    "followed",
    "compute-state",
  ]);
  // Any program may listen on the computes' port later.
  for (const { compute_id } of await admin.get("/computes"))
    if (compute_id !== "local") await admin.put(`/computes/${compute_id}`, { port: CLOSED_PORT });
  await keepForEver(await readItems(stack), KEPT);
  reportKinds(await countKinds(stack));
  const archive = join(FIXTURES, `${fixture}.tar.gz`);
  pack(dataDir, archive);
  for (const stop of streams) stop();
  await compute.stop();
  await stack.stop();
  for (const key of Object.keys(process.env))
    if (key.startsWith("AWS_ENDPOINT_URL_")) delete process.env[key];
  const record = { passwords: PASSWORDS, made, withoutUsers };
  const [one, other] = [await readFolder(archive, record), await readFolder(archive, record)];
  const readings = one.flatMap((reading, index) => {
    const answer = inCommon(reading.answer, other[index]!.answer);
    if (answer === undefined) console.log(`left out, because each read differs: ${reading.path}`);
    return answer === undefined ? [] : [{ ...reading, answer }];
  });
  writeFileSync(join(FIXTURES, `${fixture}.json.gz`), gzipSync(JSON.stringify({ ...record, readings })));
  console.log(`${archive}, with ${readings.length} readings`);
}

async function fillAll(stack: LocalStack, admin: ServiceUser, computePort: number): Promise<Made> {
  const { region, credentials, dynamodbEndpoint, s3Endpoint, tableName, bucketName } = stack;
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    TABLE_NAME: tableName,
    BUCKET_NAME: bucketName,
  });
  await admin.get("/usage");
  await new ServiceUser(stack, "admin", "a wrong password").send("GET", "/projects");
  await addUser("editor", "editor", PASSWORDS.editor);
  await addUser("viewer", "viewer", PASSWORDS.viewer);
  const editor = new ServiceUser(stack, "editor", PASSWORDS.editor);
  await editor.get("/usage");
  const made = await fill(admin, editor, computePort);
  await setGuest(made.linux.project, made.linux.node, "the state of a guest");
  await editor.post(`${made.linux.project}/snapshots`, { name: "with a guest" });
  await leaveCommit(made.interrupted.project, made.interrupted.node);
  await noteHelper();
  const runs = [await addFinishedRun("editor", undefined), await addFinishedRun("editor", made.pair.project)];
  return { ...made, runs: [`/labs/run?run_id=${runs[0]}`, `${made.pair.project}/runs/${runs[1]}`] };
}

/** Follows events, a capture and a console, whose items exist while they are open. @returns functions that end it. */
async function followAll(stack: LocalStack, user: ServiceUser, made: Made): Promise<(() => void)[]> {
  const { project, pc, link } = made.pair;
  const sockets = await Promise.all(
    ["/notifications/ws", `${project}/notifications/ws`, `${project}/nodes/${pc}/console/ws`].map(
      async (path) => {
        const socket = new WebSocket(user.base.replace("http", "ws") + path, { headers: user.headers });
        const [[message]] = await Promise.all([once(socket, "message"), once(socket, "open")]);
        if (String(message) === "") throw new Error(`${path} has sent nothing`);
        return socket;
      },
    ),
  );
  sockets[2]!.send("show ip");
  const gone = new AbortController();
  const { signal } = gone;
  for (const path of ["/notifications", `${link}/pcap`]) {
    const { status, body } = await fetch(user.base + path, { headers: user.headers, signal });
    if (status !== 200) throw new Error(`${path}: ${status}`);
    // The stream ends with the maker.
    await body!.getReader().read();
  }
  console.log(`Follows the events of ${stack.url}`);
  return [() => gone.abort(), ...sockets.map((socket) => () => socket.terminate())];
}

async function untilThere(stack: LocalStack, kinds: readonly string[]): Promise<void> {
  const untilMs = Date.now() + SWEEPER_WITHIN_S * 1000;
  for (;;) {
    const counts = await countKinds(stack);
    const missing = kinds.filter((kind) => counts[kind] === undefined);
    if (missing.length === 0) return;
    if (Date.now() > untilMs) return console.log(`Never seen: ${missing.join(", ")}`);
    await sleep(1_000);
  }
}

function reportKinds(counts: Readonly<Record<string, number>>): void {
  console.log(counts);
  const missing = declaredKinds().filter((kind) => counts[kind] === undefined);
  console.log(`Kinds without an item: ${missing.join(", ") || "none"}`);
}

/** Copies what `npm start` needs of the folder while the service runs: the table, the bucket, the secrets. */
function pack(dataDir: string, archive: string): void {
  const folder = join(work, "packed");
  mkdirSync(folder);
  const database = new DatabaseSync(join(dataDir, "dynamodb.sqlite"), { readOnly: true });
  database.prepare("VACUUM INTO ?").run(join(folder, "dynamodb.sqlite"));
  database.close();
  for (const part of ["s3", "secrets.json", "streams.json"])
    cpSync(join(dataDir, part), join(folder, part), { recursive: true, preserveTimestamps: true });
  execFileSync("tar", ["--owner=0", "--group=0", "-C", folder, "-czf", archive, "."]);
}

async function readFolder(
  archive: string,
  { passwords, made }: Omit<FolderRecord, "readings">,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  const open = await openCopy(archive, { synth: join(work, "none") });
  const anyone = new ServiceUser(open);
  readings.push(...(await readAll(anyone, undefined, await pathsOf(anyone))));
  await open.stop();
  const stack = await openCopy(archive, { synth: join(work, "basic") });
  const admin = new ServiceUser(stack, "admin", stack.firstUser!.password!);
  const ofAdmin = ["/simvm", "/gns3vm", "/iou_license"];
  readings.push(...(await readAll(admin, "admin", [...ofAdmin, ...(await pathsOf(admin))])));
  for (const [name, password] of Object.entries(passwords)) {
    const user = new ServiceUser(stack, name, password);
    const own = name === "editor" ? [made.sweep, ...made.runs] : [];
    readings.push(...(await readAll(user, name, ["/projects", "/usage", ...own])));
  }
  await stack.stop();
  return readings;
}
