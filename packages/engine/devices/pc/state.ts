/** What a PC remembers: plain JSON data. Times are lab microseconds since 1970, IPv4 addresses numbers, IPv6 ones text. */

export interface PcState {
  name: string;
  /** 0 stands for none. */
  ipv4: { address: number; prefixLength: number; gateway: number };
  /** Two servers at most; 0 stands for none. */
  dns: [number, number];
  domain: string;
  mtuBytes: number;
  lease?: Lease | undefined;
  arp: ArpEntry[];
  /** Absent in states of releases that kept none. */
  pathMtus?: PathMtu[] | undefined;
  ipv6: Ipv6State;
  tcp: TcpSession[];
  history: string[];
  /** Saved configurations by file name. */
  files: Record<string, string>;
  /** Fingerprint of the node's start-up script when a start-up file was saved over it. */
  savedOver?: string | undefined;
  settings: ConsoleSettings;
  /** Of the start-up script that ran when the power came on. */
  startup?: StartupState | undefined;
  /** What `ipv4` was before the address that is being checked for a second owner. */
  ipv4Before?: PcState["ipv4"] | undefined;
}

export interface StartupState {
  /** Still to run, the one under way first. */
  lines: string[];
  /** When the first of them was begun. */
  begunUs: number;
  /** When it was begun, or begun again, in the present run; not saved. */
  sinceUs?: number | undefined;
  /** How long it ran in earlier runs; absent in states of releases that did not count it. */
  ranUs?: number | undefined;
  /** How many of its steps are done, for commands that count them; absent likewise. */
  steps?: number | undefined;
  /** How often it was begun again since, because a run had ended. */
  restarts: number;
  /** What was printed meanwhile, of much the end. */
  output: string;
}

export interface ArpEntry {
  ip: number;
  mac: number;
  expiresUs: number;
}

/** What an ICMP error reported of the way to a host (RFC 1191, RFC 8201). */
export interface PathMtu {
  /** A number for IPv4, text for IPv6. */
  target: number | string;
  mtuBytes: number;
  expiresUs: number;
}

/** From a DHCP server (RFC 2131); times in seconds from `obtainedUs`. */
export interface Lease {
  server: number;
  serverMac: number;
  /** The address that was given back, which `ip dhcp -r` asks for. */
  released?: number | undefined;
  obtainedUs: number;
  leaseSeconds: number;
  renewSeconds: number;
  rebindSeconds: number;
}

export interface Ipv6State {
  /** The global address as text; the link-local one follows from the MAC. */
  global?: { address: string; prefixLength: number; eui64: boolean } | undefined;
  /** Set by `ip auto`, which `save` writes. */
  auto: boolean;
  routerMac?: number | undefined;
  /** From a router's advertisement; 1500 also stands for none. */
  mtuBytes: number;
  dns: [string, string];
  neighbours: { address: string; mac: number }[];
}

/** A connection that the PC serves (every port does). */
export interface TcpSession {
  /** Text of the peer's address, of either family. */
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

/** What makes a PC, besides what it remembers. */
export interface PcSpec {
  readonly type: "vpcs";
  readonly name: string;
  /** Number among the lab's PCs, from 0: the end of the MAC address. */
  readonly index: number;
  readonly startupScript: string;
  /** Takes packets whatever their checksums, as VPCS does; checked when absent. */
  readonly ignoresChecksums?: boolean | undefined;
}

export const DEFAULT_MTU_BYTES = 1500;
export const NAME_MAX_CHARACTERS = 12;

const MAC_PREFIX = 0x0050_7966_6800;
const LOCAL_PORT_BASE = 20_000;
const REMOTE_PORT_BASE = 30_000;
const LOCALHOST = 0x7f00_0001;

/** `00:50:79:66:68:NN`; from the 257th PC on the byte before counts, too, so that no two of a lab are the same. */
export const macOfPc = (index: number): number => MAC_PREFIX + index;

/** A PC that was never configured. */
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

/** What a PC that was switched off still knows: what was saved. */
export const stateAfterPowerOff = (spec: PcSpec, { files, savedOver }: PcState): PcState => ({
  ...initialPcState(spec),
  files,
  savedOver,
});
