/** What users of a service can read, as a record that a later release is compared with. */
import { createHash } from "node:crypto";
import { readZip } from "../../../functions/archives/zip-reader.ts";
import { parsePcapng } from "../captures/pcapng.ts";
import type { Json, Reply, ServiceUser } from "./service-user.ts";

export interface Reading {
  /** The user's name; absent without sign-in. */
  readonly user?: string;
  readonly path: string;
  /** JSON without values that differ between two reads; the entries of an archive; or a hash. */
  readonly answer: Json;
}

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Returns what a comparison of two reads of the same data needs. */
export function toComparable(path: string, { bytes, contentType }: Reply): Json {
  if (path.includes("/export")) return entriesOf(bytes);
  if (path.endsWith("/pcapng")) {
    const { interfaces, packets } = parsePcapng(bytes);
    return { interfaces, packets: packets.map(({ data, ...rest }) => ({ ...rest, sha256: hash(data) })) };
  }
  if (contentType.startsWith("application/json")) return JSON.parse(bytes.toString());
  return { bytes: bytes.length, sha256: hash(bytes) };
}

/** By name; documents as JSON, because a later release may add to them. */
function entriesOf(archive: Buffer): Json {
  return Object.fromEntries(
    [...readZip(archive)].map(([name, entry]) => {
      const bytes = entry.read();
      if (/\.(gns3|json)$/.test(name)) return [name, JSON.parse(bytes.toString())];
      return [name, name.endsWith(".gns3snapshot") ? entriesOf(bytes) : hash(bytes)];
    }),
  );
}

/** Lists the paths that the user can read, from the lists that the service returns. */
export async function pathsOf(user: ServiceUser): Promise<string[]> {
  const paths = ["/projects", "/templates", "/symbols", "/default_symbols", "/computes", "/usage"];
  for (const { template_id } of await user.get("/templates")) paths.push(`/templates/${template_id}`);
  for (const { symbol_id, builtin } of await user.get("/symbols"))
    if (!builtin) paths.push(`/symbols/${symbol_id}/raw`, `/symbols/${symbol_id}/dimensions`);
  for (const { compute_id } of await user.get("/computes")) paths.push(`/computes/${compute_id}`);
  for (const { project_id } of await user.get("/projects"))
    paths.push(...(await pathsOfProject(user, `/projects/${project_id}`)));
  return paths;
}

async function pathsOfProject(user: ServiceUser, project: string): Promise<string[]> {
  const lists = ["/nodes", "/links", "/links/counters", "/links/impairments", "/drawings", "/snapshots"];
  const paths = ["", "/stats", "/pcapng", ...lists].map((suffix) => project + suffix);
  paths.push(`${project}/export?include_snapshots=yes`);
  for (const name of ["README.txt", "folder/picture.png"]) paths.push(`${project}/files/${name}`);
  for (const { node_id } of await user.get(`${project}/nodes`)) {
    const files = ["startup.vpc", "startup-config", "etc/motd"].map((name) => `/files/${name}`);
    for (const suffix of ["", "/links", "/mac_table", "/state", "/startup", ...files])
      paths.push(`${project}/nodes/${node_id}${suffix}`);
  }
  for (const { drawing_id } of await user.get(`${project}/drawings`))
    paths.push(`${project}/drawings/${drawing_id}`);
  for (const { link_id } of await user.get(`${project}/links`)) {
    const link = `${project}/links/${link_id}`;
    paths.push(link, `${link}/available_filters`, `${link}/impairments`, `${link}/captures`);
    for (const { capture_id } of await user.get(`${link}/captures`))
      for (const suffix of ["", "/pcap", "/packets"]) paths.push(`${link}/captures/${capture_id}${suffix}`);
  }
  return paths;
}

/** Reads paths. Leaves out those that the service refuses: a hub has no MAC table. */
export async function readAll(
  user: ServiceUser,
  name: string | undefined,
  paths: readonly string[],
): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const path of paths) {
    const reply = await user.send("GET", path);
    // The computes of the folder have ended with its maker.
    if (reply.status === 503 && reply.bytes.includes("compute.unreachable")) continue;
    if (reply.status >= 500) throw new Error(`${path}: ${reply.status} ${reply.bytes}`);
    if (reply.status !== 200) continue;
    readings.push({ ...(name !== undefined && { user: name }), path, answer: toComparable(path, reply) });
  }
  return readings;
}

/** Returns what two reads have in common: objects without the properties whose values differ. */
export function inCommon(first: Json, second: Json): Json {
  if (Array.isArray(first) && Array.isArray(second) && first.length === second.length)
    return first.map((each, index) => inCommon(each, second[index]));
  if (isObject(first) && isObject(second)) {
    const names = Object.keys(first).filter((name) => name in second);
    const kept = names.map((name) => [name, inCommon(first[name], second[name])] as const);
    return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
  }
  return first === second ? first : undefined;
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
