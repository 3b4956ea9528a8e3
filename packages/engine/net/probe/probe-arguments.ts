/** The arguments of `ping` and `traceroute`. */
import { readOptions } from "../../settings/options.ts";
import type { ProbeKind } from "../packet/probe.ts";
import type { Tables } from "../plane/tables.ts";
import { PORT_OPTION, type ProbePath, readProbePath, SOURCE_OPTION, VRF_OPTION } from "./probe-path.ts";

export interface PingRequest extends ProbePath {
  readonly count: number;
  readonly dataBytes: number;
  readonly dontFragment: boolean;
}

export interface TraceRequest extends ProbePath {
  readonly kind: ProbeKind;
  readonly maxHops: number;
  /** The number of probes for each hop. */
  readonly probes: number;
}

const DEFAULT_PING_COUNT = 5;
const MAX_PING_COUNT = 1_000;
const DEFAULT_DATA_BYTES = 56;
/** The payload of an IPv4 packet of 65,535 bytes without its header and the ICMP header. */
const MAX_DATA_BYTES = 65_507;
const DEFAULT_HOPS = 30;
const MAX_HOPS = 255;
const DEFAULT_PROBES = 3;
const MAX_PROBES = 10;

/** The forms of the arguments, as in `console/command.ts`. */
export const PING_SYNTAX = "ADDR[%PORT] [-c N] [-s BYTES] [-D] [-S ADDR] [-I PORT] [-V VRF]";
export const TRACE_SYNTAX = "ADDR[%PORT] [-m HOPS] [-q N] [-P udp|icmp] [-S ADDR] [-I PORT] [-V VRF]";
const PING_USAGE = `ping ${PING_SYNTAX}`;
const TRACE_USAGE = `traceroute ${TRACE_SYNTAX}`;

const PING_OPTIONS = {
  "-c": [1, MAX_PING_COUNT],
  "-s": [0, MAX_DATA_BYTES],
  "-D": "flag",
  [SOURCE_OPTION]: "word",
  [PORT_OPTION]: "word",
  [VRF_OPTION]: "word",
} as const;

const TRACE_OPTIONS = {
  "-m": [1, MAX_HOPS],
  "-q": [1, MAX_PROBES],
  "-P": "word",
  [SOURCE_OPTION]: "word",
  [PORT_OPTION]: "word",
  [VRF_OPTION]: "word",
} as const;

const KINDS: Readonly<Record<string, ProbeKind>> = { udp: "udp", icmp: "echo" };

/** @returns the arguments, or an error as text. */
export function readPing([target, ...args]: readonly string[], tables: Tables): PingRequest | string {
  if (target === undefined) return `ping needs an address: ${PING_USAGE}`;
  const options = readOptions(args, PING_OPTIONS);
  if (typeof options === "string") return options;
  const path = readProbePath(target, options.words, tables);
  if (typeof path === "string") return path;
  return {
    ...path,
    count: options.numbers["-c"] ?? DEFAULT_PING_COUNT,
    dataBytes: options.numbers["-s"] ?? DEFAULT_DATA_BYTES,
    dontFragment: options.flags.has("-D"),
  };
}

/** @returns the arguments, or an error as text. */
export function readTrace([target, ...args]: readonly string[], tables: Tables): TraceRequest | string {
  if (target === undefined) return `traceroute needs an address: ${TRACE_USAGE}`;
  const options = readOptions(args, TRACE_OPTIONS);
  if (typeof options === "string") return options;
  const protocol = options.words["-P"]?.toLowerCase() ?? "udp";
  const kind = Object.hasOwn(KINDS, protocol) ? KINDS[protocol] : undefined;
  if (kind === undefined) return "-P takes udp or icmp";
  const path = readProbePath(target, options.words, tables);
  if (typeof path === "string") return path;
  if (path.isGroup) return `${target} is the address of several hosts: traceroute finds the way to one`;
  return {
    ...path,
    kind,
    maxHops: options.numbers["-m"] ?? DEFAULT_HOPS,
    probes: options.numbers["-q"] ?? DEFAULT_PROBES,
  };
}
