/**
 * Parses a server's `properties` from the API:
 *
 *     { "ipv4", "ipv6", "gateway", "gateway6", "mtu",
 *       "tcp": { "congestion", "receive_buffer", "window_scaling", "timestamps", "sack", "ecn", "hystart" },
 *       "echo", "sink": true | { "port" }, "http": { "port", "files": { "/": "text" } },
 *       "dns": { "www.lab": "10.0.0.2" }, "ntp", "send": [ { "to", "port", "bytes" | "seconds", "congestion", "after" } ] }
 *
 * Addresses, gateways and the MTU have the rules of a router's port.
 */

import { type Path, type Problem, PropertyReader } from "../../settings/property-reader.ts";
import { DNS_A, encodeDnsQuery } from "../../wire/dns.ts";
import { DEFAULT_MTU_BYTES } from "../router/config.ts";
import { formatAnyAddress, parseAnyAddress } from "../router/prefix.ts";
import { parseRouterProperties } from "../router/properties.ts";
import {
  DEFAULT_RECEIVE_BUFFER_BYTES,
  HTTP_PORT,
  type HttpConfig,
  MAX_ADDRESSES_OF_NAME,
  MAX_NAMES,
  MAX_RECEIVE_BUFFER_BYTES,
  MAX_SEND_BYTES,
  MAX_SEND_SECONDS,
  MAX_SENDS,
  MIN_RECEIVE_BUFFER_BYTES,
  PORT_NAME,
  type SendOrder,
  type ServerConfig,
  SINK_PORT,
} from "./config.ts";
import { entriesOf, readFiles } from "./read-files.ts";
import { ALGORITHM_WORDS, type Algorithm, isAlgorithm } from "./tcp/algorithms.ts";
import type { TcpSettings } from "./tcp/tcb.ts";

export type ParsedServer =
  | { readonly ok: true; readonly config: ServerConfig }
  | { readonly ok: false; readonly problems: Problem[] };

const KEYS = [
  "ipv4",
  "ipv6",
  "gateway",
  "gateway6",
  "mtu",
  "tcp",
  "echo",
  "sink",
  "http",
  "dns",
  "ntp",
  "send",
] as const;
type Given = Readonly<Record<string, unknown>>;

/** @param input JSON data; undefined and `{}` give a server without addresses. */
export function parseServerProperties(input: unknown): ParsedServer {
  const reader = new PropertyReader();
  const root = reader.object(input ?? {}, [], KEYS);
  if (root === null) return { ok: false, problems: reader.problems };
  const network = readNetwork(reader, root);
  const config = {
    ...network,
    tcp: readTcp(reader, root.tcp),
    echo: reader.boolean(root.echo ?? true, ["echo"]) ?? true,
    ...readSink(reader, root.sink ?? true),
    ...(root.http !== undefined && { http: readHttp(reader, root.http) }),
    ...(root.dns !== undefined && { names: readNames(reader, root.dns) }),
    ntp: reader.boolean(root.ntp ?? false, ["ntp"]) ?? false,
    sends: readSends(reader, root.send ?? []),
  };
  checkPorts(reader, config);
  return reader.problems.length > 0 ? { ok: false, problems: reader.problems } : { ok: true, config };
}

type Network = Pick<ServerConfig, "ipv4" | "ipv6" | "gateway" | "gateway6" | "mtuBytes">;

/** Checks the addresses as those of a router with one port and default routes. */
function readNetwork(reader: PropertyReader, root: Given): Network {
  const { ipv4, ipv6, gateway, gateway6, mtu = DEFAULT_MTU_BYTES } = root;
  const gateways = [
    ["gateway", "0.0.0.0/0", gateway],
    ["gateway6", "::/0", gateway6],
  ].filter(([, , via]) => via !== undefined);
  const port = {
    name: PORT_NAME,
    mtu,
    ra: false,
    ...(ipv4 !== undefined && { ipv4 }),
    ...(ipv6 !== undefined && { ipv6 }),
  };
  const parsed = parseRouterProperties({
    ports: [port],
    routes: gateways.map(([, to, via]) => ({ to, via })),
  });
  if (!parsed.ok) {
    for (const { path, message } of parsed.problems)
      reader.add(path[0] === "routes" ? [gateways[Number(path[1])]![0] as string] : path.slice(2), message);
    return { mtuBytes: DEFAULT_MTU_BYTES };
  }
  const [own] = parsed.config.ports;
  return {
    ...(own!.ipv4 !== undefined && { ipv4: own!.ipv4 }),
    ...(own!.ipv6 !== undefined && { ipv6: own!.ipv6 }),
    ...Object.fromEntries(gateways.map(([key], index) => [key, parsed.config.routes[index]!.via])),
    mtuBytes: own!.mtuBytes,
  };
}

function readTcp(reader: PropertyReader, value: unknown): TcpSettings {
  const keys = ["congestion", "receive_buffer", "window_scaling", "timestamps", "sack", "ecn", "hystart"];
  const given = reader.object(value ?? {}, ["tcp"], keys) ?? {};
  const flag = (key: string): boolean => reader.boolean(given[key] ?? true, ["tcp", key]) ?? true;
  const buffer = given.receive_buffer ?? DEFAULT_RECEIVE_BUFFER_BYTES;
  const path = ["tcp", "receive_buffer"];
  return {
    congestion: readAlgorithm(reader, given.congestion ?? "cubic", ["tcp", "congestion"]),
    receiveBufferBytes: reader.integer(buffer, path, MIN_RECEIVE_BUFFER_BYTES, MAX_RECEIVE_BUFFER_BYTES) ?? 0,
    windowScaling: flag("window_scaling"),
    timestamps: flag("timestamps"),
    sack: flag("sack"),
    ...readEcn(reader, given.ecn ?? "accept"),
    ...(reader.boolean(given.hystart ?? false, ["tcp", "hystart"]) === true && { hystart: true }),
  };
}

function readEcn(reader: PropertyReader, value: unknown): Pick<TcpSettings, "ecn"> {
  if (value === "on" || value === "off") return { ecn: value };
  if (value !== "accept") reader.add(["tcp", "ecn"], "must be on, accept or off");
  return {};
}

function readAlgorithm(reader: PropertyReader, value: unknown, path: Path): Algorithm {
  if (isAlgorithm(value)) return value;
  reader.add(path, `must be one of ${ALGORITHM_WORDS.join(", ")}`);
  return "cubic";
}

const readPort = (reader: PropertyReader, value: unknown, path: Path): number =>
  reader.integer(value, path, 1, 65_535) ?? 0;

function readSink(reader: PropertyReader, value: unknown): Pick<ServerConfig, "sinkPort"> {
  if (value === false) return {};
  if (value === true) return { sinkPort: SINK_PORT };
  const given = reader.object(value, ["sink"], ["port"]) ?? {};
  return { sinkPort: readPort(reader, given.port ?? SINK_PORT, ["sink", "port"]) };
}

function readHttp(reader: PropertyReader, value: unknown): HttpConfig {
  const given = reader.object(value, ["http"], ["port", "files"]) ?? {};
  const files = readFiles(reader, given.files ?? {}, ["http", "files"]);
  return { port: readPort(reader, given.port ?? HTTP_PORT, ["http", "port"]), files };
}

function readNames(reader: PropertyReader, value: unknown): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const [name, given] of entriesOf(reader, value, ["dns"], MAX_NAMES)) {
    const at = ["dns", name];
    if (encodeDnsQuery(0, name, DNS_A) === null) reader.add(at, "is not a domain name");
    const listed = typeof given === "string" ? [given] : given;
    const addresses = reader.array(listed, at, 1, MAX_ADDRESSES_OF_NAME) ?? [];
    names[name.toLowerCase()] = addresses.map((address) => readAddress(reader, address, at));
  }
  return names;
}

function readAddress(reader: PropertyReader, value: unknown, path: Path): string {
  const address = reader.parsed(value, path, parseAnyAddress, "an IPv4 or IPv6 address");
  return address === null ? "" : formatAnyAddress(address);
}

function readSends(reader: PropertyReader, value: unknown): SendOrder[] {
  const isOne = !Array.isArray(value);
  const listed = reader.array(isOne ? [value] : value, ["send"], 0, MAX_SENDS) ?? [];
  return Array.from(listed, (each, index) => readSend(reader, each, isOne ? ["send"] : ["send", index]));
}

function readSend(reader: PropertyReader, value: unknown, path: Path): SendOrder {
  const given = reader.object(value, path, ["to", "port", "bytes", "seconds", "congestion", "after"]) ?? {};
  const { bytes, seconds, congestion, port = SINK_PORT, after = 0 } = given;
  if ((bytes === undefined) === (seconds === undefined)) reader.add(path, "needs either bytes or seconds");
  return {
    to: readAddress(reader, given.to, [...path, "to"]),
    port: readPort(reader, port, [...path, "port"]),
    ...(bytes !== undefined && { bytes: reader.integer(bytes, [...path, "bytes"], 1, MAX_SEND_BYTES) ?? 1 }),
    ...(seconds !== undefined && {
      seconds: reader.integer(seconds, [...path, "seconds"], 1, MAX_SEND_SECONDS) ?? 1,
    }),
    ...(congestion !== undefined && {
      congestion: readAlgorithm(reader, congestion, [...path, "congestion"]),
    }),
    afterSeconds: reader.integer(after, [...path, "after"], 0, MAX_SEND_SECONDS) ?? 0,
  };
}

/** Two services cannot have one TCP port. */
function checkPorts(reader: PropertyReader, { echo, sinkPort, http }: ServerConfig): void {
  const taken = new Map<number, string>(echo ? [[7, "echo"]] : []);
  for (const [name, port] of [
    ["sink", sinkPort],
    ["http", http?.port],
  ] as const) {
    if (port === undefined) continue;
    const other = taken.get(port);
    if (other !== undefined) reader.add([name, "port"], `is the port of ${other}: ${port}`);
    taken.set(port, name);
  }
}
