/** The settings of the process of BGP: lines of `router bgp`, and of `address-family ipv4 unicast`. */

import { formatPrefix4, network4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import { byName, list } from "../../../../settings/collections.ts";
import { checked, flag, integer, type Kind, seconds, spelled } from "../../../../settings/kind.ts";
import { optional, setting } from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import type { Ports } from "../base/port-kind.ts";

const MAX_NETWORKS = 512;
const MAX_32 = 4_294_967_295;
/** FRR's number of paths that share packets. */
const MAX_PATHS = 64;
const paths = integer(1, MAX_PATHS);
const distance = integer(1, 255);

const prefix: Kind<string, Ports> = checked(
  spelled<Ports>(
    "a prefix, like 10.0.0.0/8",
    (text) => {
      const parsed = parsePrefix4(text);
      return parsed && formatPrefix4(parsed);
    },
    { placeholder: "PREFIX" },
  ),
  (text) => {
    const parsed = parsePrefix4(text);
    if (parsed === null || network4(parsed.address, parsed.prefixLength) === parsed.address) return undefined;
    const cleared = { ...parsed, address: network4(parsed.address, parsed.prefixLength) };
    return `${text} has bits set after its prefix; the network is ${formatPrefix4(cleared)}`;
  },
);

const redistribution = record({ metric: optional(integer(0, MAX_32)) });

export const PROCESS = {
  router_id: optional(ipv4, {
    about: "the id; without one, the highest address of a loopback interface, or of any",
    name: "routerId",
    line: "bgp router-id",
  }),
  cluster_id: optional(ipv4, {
    about: "the id of a reflector's cluster; without it, the router id is used",
    name: "clusterId",
    line: "bgp cluster-id",
  }),
  default_local_preference: setting(integer(0, MAX_32), 100, {
    about: "the preference of routes without one",
    name: "localPreference",
    line: "bgp default local-preference",
  }),
  default_ipv4_unicast: setting(flag, true, {
    about: "neighbors without a line about it exchange IPv4 routes",
    name: "activates",
    line: "bgp default ipv4-unicast",
  }),
  ebgp_requires_policy: setting(flag, true, {
    about: "no routes from and to external neighbours without a policy (RFC 8212)",
    name: "requiresPolicy",
    line: "bgp ebgp-requires-policy",
  }),
  network_import_check: setting(flag, true, {
    about: "announce a network only while there is a route to it",
    name: "checksNetworks",
    line: "bgp network import-check",
  }),
  client_to_client_reflection: setting(flag, true, {
    about: "clients of a reflector hear of each other's routes",
    name: "reflectsBetweenClients",
    line: "bgp client-to-client reflection",
  }),
  always_compare_med: setting(flag, false, {
    about: "compare the metrics (MED) of routes of different systems",
    name: "alwaysCompareMed",
    line: "bgp always-compare-med",
  }),
  deterministic_med: setting(flag, false, {
    about: "choose among the routes of each neighbouring system first",
    name: "deterministicMed",
    line: "bgp deterministic-med",
  }),
  as_path_ignore: setting(flag, false, {
    about: "the length of paths does not count",
    name: "ignoresAsPath",
    line: "bgp bestpath as-path ignore",
  }),
  multipath_relax: setting(flag, false, {
    about: "paths of different systems share packets",
    name: "relaxesMultipath",
    line: "bgp bestpath as-path multipath-relax",
  }),
  compare_routerid: setting(flag, false, {
    about: "of external paths, the lowest router id counts before the age",
    name: "comparesRouterId",
    line: "bgp bestpath compare-routerid",
  }),
  med_missing_as_worst: setting(flag, false, {
    about: "a route without a metric has the worst one",
    name: "missingMedIsWorst",
    line: "bgp bestpath med missing-as-worst",
  }),
  keepalive_seconds: setting(seconds(0, 65_535), 60, {
    about: "seconds between keepalives",
    name: "keepaliveSeconds",
  }),
  hold_seconds: setting(seconds(0, 65_535), 180, {
    about: "seconds without a message until a session is lost; 0: never",
    name: "holdSeconds",
  }),
} as const;

/** Lines of `address-family ipv4 unicast`. */
export const IPV4_UNICAST = {
  networks: setting(list(prefix, { max: MAX_NETWORKS, isDistinct: true }), [], {
    about: "announce a network",
    line: "network",
  }),
  redistribute: setting(
    byName(["connected", "static", "ospf", "rip"], redistribution),
    {},
    { about: "announce routes of another source", line: "redistribute" },
  ),
  maximum_paths: setting(paths, MAX_PATHS, {
    about: "external paths that share packets",
    name: "maximumPaths",
    line: "maximum-paths",
  }),
  maximum_paths_ibgp: setting(paths, MAX_PATHS, {
    about: "internal paths that share packets",
    name: "maximumInternalPaths",
    line: "maximum-paths ibgp",
  }),
  external_distance: setting(distance, 20, { about: "of external routes", name: "externalDistance" }),
  internal_distance: setting(distance, 200, { about: "of internal routes", name: "internalDistance" }),
  local_distance: setting(distance, 200, { about: "of own routes", name: "localDistance" }),
} as const;
