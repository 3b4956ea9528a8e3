/**
 * `npm run demo`: the main job, against a running service. Two PCs, a link with loss and delay, a capture, a replay of
 * a recorded file; prints what happened and leaves the capture as a file.
 *
 * WIRELAB_URL names the service (default http://127.0.0.1:3080, or PORT); the stage's URL of a deployed one works, too.
 */
import { readFile, writeFile } from "node:fs/promises";

const BASE = (process.env.WIRELAB_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3080}/v2`).replace(
  /\/$/,
  "",
);
const RECORDED = new URL("../../test/fixtures/veth-lab.pcap", import.meta.url);
const OUTPUT = process.env.WIRELAB_DEMO_PCAP ?? "demo.pcap";

interface ReplayReport {
  readonly packets_in: number;
  readonly packets_delivered: number;
  readonly packets_dropped: number;
  readonly delay_ms: Record<"min" | "p50" | "max", number>;
  readonly duration_s: number;
  readonly seed: string;
  readonly capture_id: string;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function send(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  accept = "application/json",
): Promise<Response> {
  const response = await fetch(`${BASE}${path}`, { method, body, headers: { accept } }).catch(() => {
    throw new Error(`Nothing answers at ${BASE}. Start the service first: npm start`);
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function demo(): Promise<void> {
  const project = await call<{ project_id: string }>("POST", "/projects", { name: `demo-${Date.now()}` });
  const inProject = `/projects/${project.project_id}`;
  const makePc = () =>
    call<{ node_id: string }>("POST", `${inProject}/nodes`, {
      name: "PC1",
      node_type: "vpcs",
      compute_id: "local",
    });
  const ends = [await makePc(), await makePc()].map(({ node_id }) => ({
    node_id,
    adapter_number: 0,
    port_number: 0,
  }));
  const filters = { packet_loss: [10], delay: [50, 10] };
  const link = await call<{ link_id: string }>("POST", `${inProject}/links`, { nodes: ends, filters });
  const onLink = `${inProject}/links/${link.link_id}`;

  await call("POST", `${onLink}/start_capture`, {});
  const recorded = await readFile(RECORDED);
  const report = (await (await send("POST", `${onLink}/replay`, recorded)).json()) as ReplayReport;
  await call("POST", `${onLink}/stop_capture`);
  const file = await send("GET", `${onLink}/captures/${report.capture_id}/pcap`, undefined, "*/*");
  await writeFile(OUTPUT, Buffer.from(await file.arrayBuffer()));
  print(report, filters);
}

function print(report: ReplayReport, filters: Record<string, number[]>): void {
  const lossPct = (100 * report.packets_dropped) / report.packets_in;
  const rows: [string, string][] = [
    ["link", `PC1 to PC2, packet_loss ${filters.packet_loss} %, delay ${filters.delay?.join(" ms +/- ")} ms`],
    ["packets in", String(report.packets_in)],
    ["delivered", String(report.packets_delivered)],
    ["lost", `${report.packets_dropped} (${lossPct.toFixed(1)} %)`],
    ["delay", `${report.delay_ms.min} .. ${report.delay_ms.max} ms, median ${report.delay_ms.p50} ms`],
    ["lab time", `${report.duration_s.toFixed(3)} s`],
    ["seed", report.seed],
    ["capture", OUTPUT],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(12)}${value}`);
  console.log(`\nOpen it in Wireshark, or:  tshark -r ${OUTPUT} | head`);
}

try {
  await demo();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
