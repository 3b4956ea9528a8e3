/** The settings of BFD, in the words of FRR: profiles, and peers of their own. Protocols add the peers that they watch. */
import { anyAddress } from "../../../../settings/addresses.ts";
import { map } from "../../../../settings/collections.ts";
import { flag, integer } from "../../../../settings/kind.ts";
import { linesOf } from "../../../../settings/lines.ts";
import {
  formatShape,
  optional,
  type PropertiesOf,
  readShape,
  required,
  type SpecOf,
  schemaOfShape,
  setting,
} from "../../../../settings/shape.ts";
import { record, records } from "../../../../settings/words.ts";
import { profileName } from "../base/bfd-profile.ts";
import { type Ports, portName } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";
import { peerWords } from "./peer-words.ts";

export const MAX_PEERS = 64;
const MAX_PROFILES = 64;
const MIN_MS = 10;
const MAX_MS = 60_000;
const MAX_TTL = 254;

/** FRR's defaults. */
export const DEFAULTS = { multiplier: 3, receiveMs: 300, transmitMs: 300, minimumTtl: MAX_TTL } as const;

const milliseconds = integer(MIN_MS, MAX_MS, { placeholder: "MILLISECONDS" });

/** What a profile and a peer can both set. A peer's own value takes the place of its profile's. */
const TIMING = {
  detect_multiplier: optional(integer(1, 255), {
    about: "how many packets in a row may be missing (3)",
    name: "multiplier",
    line: "detect-multiplier",
  }),
  receive_interval_ms: optional(milliseconds, {
    about: "the least interval at which packets are taken (300)",
    name: "receiveMs",
    line: "receive-interval",
  }),
  transmit_interval_ms: optional(milliseconds, {
    about: "the least interval at which packets are sent (300)",
    name: "transmitMs",
    line: "transmit-interval",
  }),
  minimum_ttl: optional(integer(1, MAX_TTL), {
    about: "the least TTL of packets of a multihop session (254)",
    name: "minimumTtl",
    line: "minimum-ttl",
  }),
  passive_mode: optional(flag, {
    about: "send nothing before the neighbour is heard",
    name: "isPassive",
    isPresence: true,
    line: "passive-mode",
  }),
  shutdown: optional(flag, {
    about: "hold the session down",
    name: "isShut",
    isPresence: true,
    line: "shutdown",
  }),
} as const;

const PEER = {
  address: required(anyAddress, { about: "the neighbour's address" }),
  multihop: setting(flag, false, { about: "the neighbour is behind other routers" }),
  local_address: optional(anyAddress, { about: "the address that packets come from", name: "local" }),
  interface: optional(portName, { about: "the port of a neighbour of one hop", name: "port" }),
  profile: optional(profileName, {
    about: "where the other values come from; the defaults, until there is such a profile",
    line: "profile",
  }),
  ...TIMING,
} as const;

export type BfdTiming = SpecOf<typeof TIMING>;
export type BfdPeerSpec = SpecOf<typeof PEER>;

const SHAPE = {
  profiles: setting(
    map<BfdTiming, Ports>(profileName, record<Ports, typeof TIMING>(TIMING), {
      max: MAX_PROFILES,
      keys: "profiles",
    }),
    {},
    { about: "values that peers and protocols name" },
  ),
  peers: setting(
    records<Ports, typeof PEER>(PEER, {
      max: MAX_PEERS,
      rules({ address, multihop, local, port }, reader, path) {
        if (multihop && port !== undefined)
          reader.add([...path, "interface"], "a multihop session has no interface");
        if (multihop && local === undefined) reader.add(path, "a multihop session needs its local_address");
        const isOther = address && local && address.includes(":") !== local.includes(":");
        if (isOther) reader.add([...path, "local_address"], "is of another family than the neighbour");
      },
      between(all, reader, path) {
        const seen = new Set<string>();
        for (const [index, each] of all.entries()) {
          if (each === null || each.address == null) continue;
          const words = peerWords(each).join(" ");
          if (seen.has(words)) reader.add([...path, index], `the peer ${words} is configured already`);
          seen.add(words);
        }
      },
    }),
    [],
    { about: "sessions without a protocol, or the values of a protocol's session" },
  ),
} as const;

export type BfdSpec = SpecOf<typeof SHAPE>;

export const PROFILE_LINES = linesOf(TIMING);
export const PEER_LINES = linesOf(PEER);

const block = (head: string, lines: typeof PEER_LINES, values: object): string[] => [
  ` ${head}`,
  ...lines
    .flatMap(({ print }) => print(values as Readonly<Record<string, unknown>>))
    .map((line) => `  ${line}`),
  " exit",
  " !",
];

export const BFD: ServiceSettings<"bfd", BfdSpec, PropertiesOf<typeof SHAPE>> = {
  name: "bfd",
  read: (reader, value, path, ports) => readShape<Ports, typeof SHAPE>(reader, value, path, SHAPE, ports),
  format: (spec) => formatShape(SHAPE, spec),
  print: ({ profiles, peers }) => [
    "bfd",
    ...Object.entries(profiles).flatMap(([name, timing]) => block(`profile ${name}`, PROFILE_LINES, timing)),
    ...peers.flatMap((peer) => block(`peer ${peerWords(peer).join(" ")}`, PEER_LINES, peer)),
    "exit",
  ],
  schema: () => schemaOfShape(SHAPE),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly bfd?: BfdSpec;
  }
  interface ServicesProperties {
    bfd?: PropertiesOf<typeof SHAPE>;
  }
}
