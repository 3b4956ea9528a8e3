/** The settings of RIP: as they are configured, and with the names of the API's `properties`. */

import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { Path, PropertyReader } from "../../property-reader.ts";
import { formatPrefix4, network4, type Prefix4, parsePrefix4 } from "../prefix.ts";
import type { PortDraft } from "../property-drafts.ts";
import { readDistinct } from "../read-distinct.ts";
import {
  authenticationWords,
  formatAuthentication,
  type RipAuthentication,
  type RipAuthenticationProperties,
  readAuthentication,
} from "./authentication-settings.ts";

export interface RipSpec {
  /** RIP runs on ports with an address in one of these prefixes, and on ports with these names. */
  readonly networks: readonly string[];
  /** Ports that receive updates and send none, except to neighbors. */
  readonly passive: readonly string[];
  /** Routers that get updates as unicast, too. */
  readonly neighbors: readonly string[];
  readonly redistribute: Readonly<Partial<Record<RedistributedSource, Redistribution>>>;
  /** Whether the router announces a default route. */
  readonly isDefaultAnnounced: boolean;
  readonly splitHorizon: SplitHorizon;
  readonly updateSeconds: number;
  readonly timeoutSeconds: number;
  readonly garbageSeconds: number;
  /** By the name of a port; absent if no port has it. */
  readonly authentication?: Readonly<Record<string, RipAuthentication>>;
}

export const REDISTRIBUTED_SOURCES = ["connected", "static"] as const;
export type RedistributedSource = (typeof REDISTRIBUTED_SOURCES)[number];
export const SPLIT_HORIZONS = ["poisoned-reverse", "simple", "off"] as const;
export type SplitHorizon = (typeof SPLIT_HORIZONS)[number];

export interface Redistribution {
  readonly metric: number;
  readonly tag: number;
}

export interface RipProperties {
  networks?: string[];
  passive?: string[];
  neighbors?: string[];
  redistribute?: Partial<Record<RedistributedSource, Partial<Redistribution>>>;
  default_route?: boolean;
  split_horizon?: string;
  update_seconds?: number;
  timeout_seconds?: number;
  garbage_seconds?: number;
  authentication?: Record<string, RipAuthenticationProperties>;
}

export const MAX_RIP_NETWORKS = 64;
export const MAX_RIP_NEIGHBORS = 64;
/** RFC 2453, section 3.8. */
export const DEFAULT_UPDATE_SECONDS = 30;
export const DEFAULT_TIMEOUT_SECONDS = 180;
export const DEFAULT_GARBAGE_SECONDS = 120;
const MIN_SECONDS = 5;
const MAX_SECONDS = 86_400;
const MAX_METRIC = 15;
const MAX_TAG = 0xffff;

const KEYS = [
  "networks",
  "passive",
  "neighbors",
  "redistribute",
  "default_route",
  "split_horizon",
  "update_seconds",
  "timeout_seconds",
  "garbage_seconds",
  "authentication",
];

/** @param ports null if the list of ports is invalid. @returns undefined if a value is invalid: the reader then has the problem. */
export function readRip(
  reader: PropertyReader,
  value: unknown,
  ports: readonly PortDraft[] | null,
): RipSpec | undefined {
  const rip = reader.object(value, ["rip"], KEYS);
  if (rip === null) return undefined;
  const { networks = [], passive = [], neighbors = [], redistribute = {}, default_route = false } = rip;
  const {
    split_horizon = "poisoned-reverse",
    update_seconds = DEFAULT_UPDATE_SECONDS,
    timeout_seconds = DEFAULT_TIMEOUT_SECONDS,
    garbage_seconds = DEFAULT_GARBAGE_SECONDS,
  } = rip;
  const portName = (text: string): string | null => namedPort(text, ports);
  const seconds = (given: unknown, key: string) =>
    reader.integer(given, ["rip", key], MIN_SECONDS, MAX_SECONDS);
  const read = {
    networks: readDistinct(reader, networks, ["rip", "networks"], MAX_RIP_NETWORKS, (text, path) =>
      readNetwork(reader, text, path, portName),
    ),
    passive: readDistinct(reader, passive, ["rip", "passive"], MAX_RIP_NETWORKS, (text, path) =>
      reader.parsed(text, path, portName, "the name of a port"),
    ),
    neighbors: readDistinct(reader, neighbors, ["rip", "neighbors"], MAX_RIP_NEIGHBORS, (text, path) =>
      readNeighbor(reader, text, path, ports),
    ),
    redistribute: readRedistribute(reader, redistribute),
    isDefaultAnnounced: reader.boolean(default_route, ["rip", "default_route"]),
    splitHorizon: readChoice(reader, split_horizon, ["rip", "split_horizon"], SPLIT_HORIZONS),
    updateSeconds: seconds(update_seconds, "update_seconds"),
    timeoutSeconds: seconds(timeout_seconds, "timeout_seconds"),
    garbageSeconds: seconds(garbage_seconds, "garbage_seconds"),
  };
  checkTimeout(read.updateSeconds, read.timeoutSeconds, reader);
  const authentication = readAuthentication(reader, rip.authentication ?? {}, portName);
  if (authentication === null || Object.values(read).includes(null)) return undefined;
  return { ...(read as RipSpec), ...(Object.keys(authentication).length > 0 && { authentication }) };
}

/** A route that times out between two updates comes and goes. */
function checkTimeout(updateSeconds: number | null, timeoutSeconds: number | null, reader: PropertyReader) {
  if (updateSeconds === null || timeoutSeconds === null || timeoutSeconds > updateSeconds) return;
  reader.add(
    ["rip", "timeout_seconds"],
    `a timeout of ${timeoutSeconds} s is not longer than the ${updateSeconds} s between updates`,
  );
}

function readNetwork(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  portName: (text: string) => string | null,
): string | null {
  const parse = (text: string): string | Prefix4 | null => parsePrefix4(text) ?? portName(text);
  const what = "a prefix (10.0.0.0/8) or the name of a port";
  const network = reader.parsed(value, path, parse, what);
  if (network === null || typeof network === "string") return network;
  const { address, prefixLength } = network;
  const cleared = { address: network4(address, prefixLength), prefixLength };
  if (cleared.address === address) return formatPrefix4(network);
  const [given, meant] = [formatPrefix4(network), formatPrefix4(cleared)];
  return reader.add(path, `${given} has bits set after its prefix; the network is ${meant}`);
}

function readNeighbor(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  ports: readonly PortDraft[] | null,
): string | null {
  const address = reader.parsed(value, path, parseIpv4, "an IPv4 address");
  if (address === null) return null;
  const text = formatIpv4(address);
  // Subnets of ports that are invalid are unknown.
  const subnets = ports?.map(({ ipv4 }) => ipv4) ?? [null];
  if (subnets.some((subnet) => subnet === null)) return text;
  const subnet = subnets.find((each) => each && isIn(each, address));
  if (!subnet) return reader.add(path, `the neighbor ${text} is not on the subnet of any port`);
  return subnet.address === address ? reader.add(path, `${text} is the router's own address`) : text;
}

const isIn = ({ address, prefixLength }: Prefix4, other: number): boolean =>
  network4(address, prefixLength) === network4(other, prefixLength);

function readRedistribute(reader: PropertyReader, value: unknown): RipSpec["redistribute"] | null {
  const path = ["rip", "redistribute"];
  const given = reader.object(value, path, REDISTRIBUTED_SOURCES);
  if (given === null) return null;
  const sources = REDISTRIBUTED_SOURCES.filter((source) => given[source] !== undefined);
  const read = sources.map(
    (source) => [source, readRedistribution(reader, given[source], [...path, source])] as const,
  );
  return read.some(([, each]) => each === null) ? null : Object.fromEntries(read);
}

function readRedistribution(reader: PropertyReader, value: unknown, path: Path): Redistribution | null {
  const given = reader.object(value, path, ["metric", "tag"]);
  if (given === null) return null;
  const metric = reader.integer(given.metric ?? 1, [...path, "metric"], 1, MAX_METRIC);
  const tag = reader.integer(given.tag ?? 0, [...path, "tag"], 0, MAX_TAG);
  return metric === null || tag === null ? null : { metric, tag };
}

function readChoice<T extends string>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  choices: readonly T[],
): T | null {
  const text = reader.text(value, path);
  if (text === null) return null;
  return choices.find((each) => each === text) ?? reader.add(path, `must be ${choices.join(", ")}`);
}

/** Returns the name of a port as it is configured; null if no port has it. A name is unchecked if ports are invalid. */
function namedPort(text: string, ports: readonly PortDraft[] | null): string | null {
  if (ports === null || ports.some(({ name }) => name === null)) return text;
  return ports.find(({ name }) => name!.toLowerCase() === text.toLowerCase())?.name ?? null;
}

export const formatRip = (rip: RipSpec): RipProperties => ({
  networks: [...rip.networks],
  passive: [...rip.passive],
  neighbors: [...rip.neighbors],
  redistribute: structuredClone(rip.redistribute),
  default_route: rip.isDefaultAnnounced,
  split_horizon: rip.splitHorizon,
  update_seconds: rip.updateSeconds,
  timeout_seconds: rip.timeoutSeconds,
  garbage_seconds: rip.garbageSeconds,
  ...(rip.authentication && { authentication: formatAuthentication(rip.authentication) }),
});

/** The commands that configure RIP; defaults are omitted. */
export function ripLines(rip: RipSpec): string[] {
  const { updateSeconds, timeoutSeconds, garbageSeconds, splitHorizon } = rip;
  const isTimed =
    updateSeconds !== DEFAULT_UPDATE_SECONDS ||
    timeoutSeconds !== DEFAULT_TIMEOUT_SECONDS ||
    garbageSeconds !== DEFAULT_GARBAGE_SECONDS;
  const sources = Object.entries(rip.redistribute);
  return [
    "",
    ...(isTimed ? [` timers basic ${updateSeconds} ${timeoutSeconds} ${garbageSeconds}`] : []),
    ...(splitHorizon === "poisoned-reverse" ? [] : [` split-horizon ${splitHorizon}`]),
    ...(rip.isDefaultAnnounced ? [" default-information originate"] : []),
    ...sources.map(([source, { metric, tag }]) => ` redistribute ${source} metric ${metric} tag ${tag}`),
    ...rip.networks.map((network) => ` network ${network}`),
    ...rip.neighbors.map((neighbor) => ` neighbor ${neighbor}`),
    ...rip.passive.map((port) => ` passive-interface ${port}`),
    ...Object.entries(rip.authentication ?? {}).map(([port, each]) => ` ${authenticationWords(port, each)}`),
  ].map((line) => `router rip${line}`);
}
