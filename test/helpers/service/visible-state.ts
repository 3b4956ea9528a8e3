/** The state that clients can see of a request's target, without values that differ from moment to moment. */
import { parsePcap } from "../captures/pcap.ts";

/** @returns the body of a GET, or undefined if its status is not 200. */
type Get = (path: string) => Promise<Buffer | undefined>;

// biome-ignore lint/suspicious/noExplicitAny: responses of all routes
type Json = any;

/** @param path of a request. */
export async function visibleState(get: Get, path: string): Promise<unknown> {
  if (/\/files\/|^\/symbols\//.test(path)) return (await get(path))?.toString("latin1");
  const [, project] = /^(\/projects\/[^/]+)/.exec(path) ?? [];
  if (project !== undefined) return stateOfProject(get, project);
  if (path === "/projects") return (await json(get, "/projects")).map(({ name }: Json) => name).sort();
  if (path.startsWith("/templates")) return (await json(get, "/templates")).map(withoutId);
  const computes = (await json(get, "/computes")) as Record<string, unknown>[];
  return [computes.map(withoutReported), await json(get, "/simvm")];
}

/** A copy has an id of its own. */
const withoutId = ({ template_id: _id, ...shown }: Json): Json => shown;

async function stateOfProject(get: Get, project: string): Promise<unknown> {
  const [about, nodes, links, drawings, snapshots] = await Promise.all(
    ["", "/nodes", "/links", "/drawings", "/snapshots"].map((suffix) => json(get, `${project}${suffix}`)),
  );
  if (about === undefined) return undefined;
  const captures: unknown[] = [];
  for (const { link_id } of links ?? []) {
    const path = `${project}/links/${link_id}/captures`;
    for (const capture of (await json(get, path)) ?? []) {
      captures.push(await stateOfCapture(get, path, capture));
    }
  }
  const names = (snapshots ?? []).map(({ name }: Json) => name);
  return { about, nodes, links, drawings, snapshots: names, captures };
}

/** Counts the packets in the file itself, because the capture's own count is under test. */
async function stateOfCapture(get: Get, path: string, capture: Json): Promise<unknown> {
  const { started_at: _started, stopped_at: _stopped, ...shown } = capture;
  const file = await get(`${path}/${capture.capture_id}/pcap`);
  const inFile = file && parsePcap(file).length;
  if (inFile !== capture.packets) {
    throw new Error(`Capture ${capture.capture_id} says ${capture.packets} packets and holds ${inFile}`);
  }
  return shown;
}

async function json(get: Get, path: string): Promise<Json> {
  const bytes = await get(path);
  return bytes && JSON.parse(bytes.toString());
}

/** Without what a compute reports itself, which changes with time and not with a request. */
function withoutReported(compute: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { capabilities, connected, cpu_usage_percent, last_error, memory_usage_percent, ...stored } = compute;
  return stored;
}
