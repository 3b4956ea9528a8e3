/** The settings of a neighbour of BGP: the lines `neighbor ADDR ...` of FRR. */
import { flag, integer, type Kind, seconds, spelled, text } from "../../../../settings/kind.ts";
import {
  optional,
  type PropertiesOf,
  type Rules,
  required,
  type Shape,
  type SpecOf,
  unlessUsual,
} from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { profileName } from "../base/bfd-profile.ts";
import { namedPort, type Ports } from "../base/port-kind.ts";
import { allowedOwnAs, choiceOr, directed, numberOr, remoteAs } from "./kinds.ts";
import { localAs, maximumPrefix } from "./neighbour-kinds.ts";

const MAX_TTL = 255;
const MAX_SECONDS = 65_535;
const MAX_INTERVAL = 600;
const MAX_WEIGHT = 65_535;
const MAX_DESCRIPTION = 80;

const source = spelled<Ports>(
  "an IPv4 address, or the name of a port",
  (word, ports) => {
    const address = parseIpv4(word);
    return address === null ? namedPort(word, ports) : formatIpv4(address);
  },
  { placeholder: "ADDR|PORT" },
);

const description: Kind<string> = {
  ...text("TEXT"),
  read(reader, value, path) {
    const own = reader.text(value, path);
    if (own === null) return null;
    const isLine = /^[ -~]+$/.test(own) && own.trim() === own && own.length <= MAX_DESCRIPTION;
    return isLine ? own : reader.add(path, `must be 1 to ${MAX_DESCRIPTION} printable characters of ASCII`);
  },
  parse: (words) => (words.length === 0 ? undefined : words.join(" ")),
};

/** In the order in which a configuration has them. */
export const SESSION = {
  remote_as: required(remoteAs, {
    about: "the AS of the neighbour: a number, the own one, or another one",
    name: "remoteAs",
    line: "remote-as",
  }),
  local_as: optional(localAs, {
    about: "the AS that the neighbour takes the router's for",
    name: "localAs",
    line: "local-as",
  }),
  description: optional(description, { about: "words for the user", line: "description", syntax: "TEXT..." }),
  shutdown: unlessUsual(flag, false, {
    about: "no session is opened or taken",
    isPresence: true,
    line: "shutdown",
  }),
  passive: unlessUsual(flag, false, {
    about: "wait for the neighbour to connect",
    isPresence: true,
    line: "passive",
  }),
  ebgp_multihop: optional(numberOr(integer(1, MAX_TTL), MAX_TTL), {
    about: "the hop limit to an external neighbour that is on no connected subnet (255)",
    name: "multihop",
    line: "ebgp-multihop",
  }),
  disable_connected_check: unlessUsual(flag, false, {
    about: "an external neighbour one hop away may be on no connected subnet",
    name: "ignoresConnected",
    isPresence: true,
    line: "disable-connected-check",
  }),
  update_source: optional(source, {
    about: "the own address of the session, or the port whose address it is",
    name: "source",
    line: "update-source",
  }),
  advertisement_interval: optional(seconds(0, MAX_INTERVAL), {
    about: "least seconds between two updates (0)",
    name: "advertisementSeconds",
    line: "advertisement-interval",
  }),
  keepalive_seconds: optional(seconds(0, MAX_SECONDS), {
    about: "seconds between keepalives; this and `hold_seconds` replace the values of the process",
    name: "keepaliveSeconds",
  }),
  hold_seconds: optional(seconds(0, MAX_SECONDS), {
    about: "seconds without a message until the session is lost",
    name: "holdSeconds",
  }),
  bfd: unlessUsual(flag, false, {
    about: "watch the neighbour with BFD",
    isPresence: true,
    line: "bfd",
  }),
  bfd_profile: optional(profileName, {
    about: "watch the neighbour with BFD and the values of a profile",
    name: "bfdProfile",
    line: "bfd profile",
  }),
  connect_seconds: optional(seconds(1, MAX_SECONDS), {
    about: "seconds between two attempts to connect (120)",
    name: "connectSeconds",
    line: "timers connect",
  }),
} as const;

/** Lines of `address-family ipv4 unicast`. */
export const FAMILY = {
  activate: optional(flag, {
    about: "whether IPv4 routes are exchanged; absent: as `default_ipv4_unicast` has it",
    name: "isActive",
  }),
  next_hop_self: optional(choiceOr("own", "force"), {
    about: "the router is the next hop of what it announces; force: also of reflected routes",
    name: "nextHopSelf",
    line: "next-hop-self",
  }),
  remove_private_as: optional(choiceOr("private", "all", "replace-AS", "all replace-AS"), {
    about: "private numbers leave the paths that an external neighbour gets",
    name: "removePrivate",
    line: "remove-private-AS",
  }),
  route_reflector_client: unlessUsual(flag, false, {
    about: "an internal neighbour gets the routes of internal neighbours, and they get its routes",
    name: "isClient",
    isPresence: true,
    line: "route-reflector-client",
  }),
  default_originate: unlessUsual(flag, false, {
    about: "the neighbour gets a default route",
    name: "originatesDefault",
    isPresence: true,
    line: "default-originate",
  }),
  maximum_prefix: optional(maximumPrefix, {
    about: "more prefixes end the session, or cause a warning alone",
    name: "maximumPrefix",
    line: "maximum-prefix",
  }),
  allowas_in: optional(allowedOwnAs, {
    about: "how often a path may have the own AS (3), or only at its beginning",
    name: "allowsOwnAs",
    line: "allowas-in",
  }),
  prefix_list_in: optional(directed("in"), {
    about: "the list that judges the prefixes of its routes",
    name: "prefixListIn",
    line: "prefix-list",
  }),
  prefix_list_out: optional(directed("out"), {
    about: "the list that judges the prefixes of routes that it gets",
    name: "prefixListOut",
    line: "prefix-list",
  }),
  filter_list_in: optional(directed("in"), {
    about: "the list that judges the paths of its routes",
    name: "filterListIn",
    line: "filter-list",
  }),
  filter_list_out: optional(directed("out"), {
    about: "the list that judges the paths of routes that it gets",
    name: "filterListOut",
    line: "filter-list",
  }),
  route_map_in: optional(directed("in"), {
    about: "the route map that judges its routes",
    name: "routeMapIn",
    line: "route-map",
  }),
  route_map_out: optional(directed("out"), {
    about: "the route map that judges routes that it gets",
    name: "routeMapOut",
    line: "route-map",
  }),
  weight: optional(integer(0, MAX_WEIGHT), {
    about: "the weight of its routes: the highest counts first",
    line: "weight",
  }),
} as const;

export const NEIGHBOUR = { ...SESSION, ...FAMILY } as const;

export type NeighbourSpec = SpecOf<typeof NEIGHBOUR>;
export type NeighbourProperties = PropertiesOf<typeof NEIGHBOUR>;

export type Row = Shape<Ports>[string];

const rules: Rules<typeof NEIGHBOUR, Ports> = ({ keepaliveSeconds, holdSeconds }, reader, path) => {
  if ((keepaliveSeconds === undefined) !== (holdSeconds === undefined))
    reader.add(path, "keepalive_seconds and hold_seconds are given together");
  checkHold(holdSeconds, reader, [...path, "hold_seconds"]);
};

/** RFC 4271, section 4.2. */
export function checkHold(
  holdSeconds: number | null | undefined,
  reader: Parameters<typeof rules>[1],
  path: Parameters<typeof rules>[2],
): void {
  if (holdSeconds === 1 || holdSeconds === 2) reader.add(path, "must be 0, or 3 and more");
}

export const neighbour: Kind<NeighbourSpec, Ports> = record<Ports, typeof NEIGHBOUR>(NEIGHBOUR, rules);
