/**
 * A lab as a test in continuous integration: docs/ci.md. It needs Node.js 22.18 or newer and nothing else.
 *
 *     WIRELAB_URL        where the service is; http://127.0.0.1:3080/v2 when it is not set
 *     WIRELAB_USER       and WIRELAB_PASSWORD, where the service asks who one is
 *     WIRELAB_CAPTURES   the folder that the captures go to; captures when it is not set
 *
 * It exits with 1 when what went over the wire is not what is expected of it, and with 2 when it could not find out.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { WIRELAB_URL, WIRELAB_USER, WIRELAB_PASSWORD, WIRELAB_CAPTURES = "captures" } = process.env;
const BASE = (WIRELAB_URL || "http://127.0.0.1:3080/v2").replace(/\/$/, "");

/** The service may just be starting. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 1_000;
/** A job that dies cannot clean up: after this the service does. */
const EXPIRES_MS = 3_600_000;

type Json = Record<string, unknown>;
class Unexpected extends Error {}

/** Sent again until it is answered: under its key it is carried out once, however often it arrives. */
async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const key = crypto.randomUUID();
  const headers: Record<string, string> = { "Idempotency-Key": key };
  if (WIRELAB_USER) {
    headers.Authorization = `Basic ${Buffer.from(`${WIRELAB_USER}:${WIRELAB_PASSWORD}`).toString("base64")}`;
  }
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const giveUpMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(`${BASE}${path}`, { method, headers, ...payload }).catch((error) => error);
    const passing =
      response instanceof Error || response.headers.has("retry-after") || response.status === 429;
    if (!passing && response.ok) return response;
    if (!passing || Date.now() > giveUpMs) {
      const reason =
        response instanceof Error ? response.message : `${response.status} ${await response.text()}`;
      throw new Error(`${method} ${BASE}${path}: ${reason}`);
    }
    await sleep(PAUSE_MS);
  }
}

const get = async (path: string): Promise<Json> => (await (await send("GET", path)).json()) as Json;
async function post(path: string, body: unknown = {}): Promise<Json> {
  const text = await (await send("POST", path, body)).text();
  return text === "" ? {} : JSON.parse(text);
}

/** Two PCs behind a switch; the cable of the second loses a fifth of what goes over it and takes 20 ms. */
async function build(project: string) {
  const node = async (name: string, node_type: string): Promise<string> =>
    String((await post(`${project}/nodes`, { name, node_type, compute_id: "local" })).node_id);
  const link = async (ends: [string, number][], filters: Json = {}): Promise<string> => {
    const nodes = ends.map(([node_id, port_number]) => ({ node_id, adapter_number: 0, port_number }));
    return `${project}/links/${(await post(`${project}/links`, { nodes, filters })).link_id}`;
  };
  const [pc1, pc2, sw] = [
    await node("PC1", "vpcs"),
    await node("PC2", "vpcs"),
    await node("SW1", "ethernet_switch"),
  ];
  const near = await link([
    [pc1, 0],
    [sw, 0],
  ]);
  const far = await link(
    [
      [pc2, 0],
      [sw, 1],
    ],
    { packet_loss: [20], delay: [20] },
  );
  return { pc1, pc2, near, far };
}

/** How many packets of a link's capture match a filter expression. */
async function count(capture: string, filter: string): Promise<number> {
  const page = await get(`${capture}/packets?limit=1&filter=${encodeURIComponent(filter)}`);
  return Number(page.matched);
}

async function captureOf(link: string): Promise<string> {
  const captures = (await (await send("GET", `${link}/captures`)).json()) as { capture_id: string }[];
  return `${link}/captures/${captures.at(-1)!.capture_id}`;
}

function expect(what: string, got: number, holds: boolean): void {
  console.log(`${holds ? "ok    " : "not ok"}  ${what}: ${got}`);
  if (!holds) throw new Unexpected(what);
}

const PINGS = 20;

async function runLab(project: string): Promise<void> {
  const { pc1, pc2, near, far } = await build(project);
  await post(`${project}/nodes/start`);
  for (const link of [near, far]) await post(`${link}/start_capture`);
  try {
    await post(`${project}/nodes/${pc2}/console`, { commands: ["ip 10.0.0.2/24"] });
    const { output } = await post(`${project}/nodes/${pc1}/console`, {
      commands: ["ip 10.0.0.1/24", `ping 10.0.0.2 -c ${PINGS}`],
    });
    console.log(output);
    const answered = String(output).match(/bytes from/g)?.length ?? 0;

    const [before, behind] = [await captureOf(near), await captureOf(far)];
    const requests = await count(before, "icmp[icmptype] == icmp-echo and src host 10.0.0.1");
    expect("echo requests that PC1 sent", requests, requests === PINGS);
    const arrived = await count(behind, "icmp[icmptype] == icmp-echo and src host 10.0.0.1");
    expect("echo requests that came through to PC2", arrived, arrived < requests && arrived > 0);
    const replies = await count(before, "icmp[icmptype] == icmp-echoreply and dst host 10.0.0.1");
    expect("echo replies that came back to PC1", replies, replies === answered && replies <= arrived);
    const strangers = await count(behind, "ip and not net 10.0.0.0/24");
    expect("packets of other networks", strangers, strangers === 0);
  } finally {
    await keepCaptures(project, [near, far]);
  }
}

/** Stops the captures and fetches them, each as a pcap and all of them as one pcapng. */
async function keepCaptures(project: string, links: readonly string[]): Promise<void> {
  await mkdir(WIRELAB_CAPTURES, { recursive: true });
  for (const link of links) {
    await post(`${link}/stop_capture`);
    const capture = await captureOf(link);
    const { capture_file_name } = await get(capture);
    await keep(String(capture_file_name), await send("GET", `${capture}/pcap`));
  }
  await keep("lab.pcapng", await send("GET", `${project}/pcapng`));
}

async function keep(name: string, response: Response): Promise<void> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  await writeFile(join(WIRELAB_CAPTURES, name), bytes);
  console.log(`kept    ${join(WIRELAB_CAPTURES, name)}, ${bytes.length} bytes`);
}

async function main(): Promise<void> {
  const { version } = await get("/version");
  console.log(`Wirelab ${version} at ${BASE}`);
  const created = await post("/projects", {
    name: `ci-${process.env.GITHUB_RUN_ID ?? "local"}-${crypto.randomUUID()}`,
    expires_at: new Date(Date.now() + EXPIRES_MS).toISOString(),
    // The same packets are lost in every run.
    variables: [{ name: "seed", value: "ci" }],
  });
  const project = `/projects/${created.project_id}`;
  try {
    await runLab(project);
  } finally {
    await send("DELETE", project);
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Unexpected ? `Not as expected: ${error.message}` : error);
  process.exitCode = error instanceof Unexpected ? 1 : 2;
}
