/** The saved state of a PC: plain JSON. Times are lab microseconds since 1970, IPv4 addresses numbers, IPv6 addresses text. */

import type { PathMtu } from "../../net/packet/path-mtus.ts";
import { macOf } from "../node-kind.ts";
import { pcKind } from "./kind.ts";

export interface PcState {
  name: string;
  /** 0 means "none". */
  ipv4: { address: number; prefixLength: number; gateway: number };
  /** At most two servers; 0 means "none". */
  dns: [number, number];
  domain: string;
  mtuBytes: number;
  lease?: Lease | undefined;
  arp: ArpEntry[];
  /** Absent in states saved by earlier releases. */
  pathMtus?: PathMtu[] | undefined;
  ipv6: Ipv6State;
  tcp: TcpSession[];
  history: string[];
  /** Saved configurations by file name. */
  files: Record<string, string>;
  /** Fingerprint of the node's start-up script at the time when a start-up file was saved. */
  savedOver?: string | undefined;
  settings: ConsoleSettings;
  /** State of the start-up script that ran at power-on. */
  startup?: StartupState | undefined;
  /** Set while the link has no carrier. */
  isLinkDown?: true | undefined;
  /** The previous `ipv4`, while the PC checks the new address for a second owner. */
  ipv4Before?: PcState["ipv4"] | undefined;
}

export interface StartupState {
  /** Remaining lines, the running one first. */
  lines: string[];
  /** When the first line began. */
  begunUs: number;
  /** When the first line began or restarted in the current run; not saved. */
  sinceUs?: number | undefined;
  /** Microseconds that the first line ran in earlier runs; absent in states saved by earlier releases. */
  ranUs?: number | undefined;
  /** Completed steps of the first line, for commands that count them; absent in states saved by earlier releases. */
  steps?: number | undefined;
  /** Restarts of the first line after the end of a run. */
  restarts: number;
  /** Console output since power-on, truncated to the last characters. */
  output: string;
}

export interface ArpEntry {
  ip: number;
  mac: number;
  expiresUs: number;
}

/** A lease from a DHCP server (RFC 2131); times are seconds after `obtainedUs`. */
export interface Lease {
  server: number;
  serverMac: number;
  /** The released address, which `ip dhcp -r` requests again. */
  released?: number | undefined;
  obtainedUs: number;
  leaseSeconds: number;
  renewSeconds: number;
  rebindSeconds: number;
}

export interface Ipv6State {
  /** The global address as text; the link-local one follows from the MAC. */
  global?: { address: string; prefixLength: number; eui64: boolean } | undefined;
  /** Set by `ip auto`; if set, `save` writes `ip auto`. */
  auto: boolean;
  routerMac?: number | undefined;
  /** From a router's advertisement; 1500 if none was received. */
  mtuBytes: number;
  dns: [string, string];
  neighbours: { address: string; mac: number }[];
}

/** A connection to the PC's TCP server, which listens on every port. */
export interface TcpSession {
  /** The peer's address as text, of either family. */
  peer: string;
  peerPort: number;
  port: number;
  /** Our next sequence number. */
  sequence: number;
  lastUs: number;
}

export interface ConsoleSettings {
  echo: boolean;
  foreground: string;
  background: string;
  /** Flags of `set dump`, in the order `show dump` prints them. */
  dump: string[];
  localPort: number;
  remotePort: number;
  remoteHost: number;
}

/** The fixed properties of a PC, separate from its state. */
export interface PcSpec {
  readonly type: "vpcs";
  readonly name: string;
  /** The PC's number in the lab, from 0; it is the end of the MAC address. */
  readonly index: number;
  readonly startupScript: string;
  /** Accepts packets with wrong checksums, as VPCS does; if absent, the PC checks them. */
  readonly ignoresChecksums?: boolean | undefined;
}

export const DEFAULT_MTU_BYTES = 1500;
export const NAME_MAX_CHARACTERS = 12;

const LOCAL_PORT_BASE = 20_000;
const REMOTE_PORT_BASE = 30_000;
const LOCALHOST = 0x7f00_0001;

export const macOfPc = (index: number): number => macOf(pcKind.macs, index);

/** Returns the state of a PC that was never configured. */
export const initialPcState = ({ name, index }: PcSpec): PcState => ({
  name: name.slice(0, NAME_MAX_CHARACTERS),
  ipv4: { address: 0, prefixLength: 0, gateway: 0 },
  dns: [0, 0],
  domain: "",
  mtuBytes: DEFAULT_MTU_BYTES,
  arp: [],
  ipv6: { auto: false, mtuBytes: DEFAULT_MTU_BYTES, dns: ["", ""], neighbours: [] },
  tcp: [],
  history: [],
  files: {},
  settings: {
    echo: false,
    foreground: "default",
    background: "default",
    dump: [],
    localPort: LOCAL_PORT_BASE + index,
    remotePort: REMOTE_PORT_BASE + index,
    remoteHost: LOCALHOST,
  },
});

/** Returns the state after power-off, which keeps only the saved files; undefined without files. */
export const pcStateWhenOff = (spec: PcSpec, { files, savedOver }: PcState): PcState | undefined =>
  Object.keys(files).length > 0 ? { ...initialPcState(spec), files, savedOver } : undefined;
