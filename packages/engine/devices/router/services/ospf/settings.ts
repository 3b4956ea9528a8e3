/** The settings of OSPF, in the words of FRR. */

import { formatPrefix4, network4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import { DEFAULT_TIMERS } from "../../../../routing/ospf/config.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import { byName, list, map } from "../../../../settings/collections.ts";
import { choice, flag, integer, type Kind, spelled } from "../../../../settings/kind.ts";
import { together } from "../../../../settings/lines.ts";
import {
  optional,
  type PropertiesOf,
  type SpecOf,
  setting,
  unlessEmpty,
  unlessUsual,
} from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import { passiveLines } from "../base/passive-lines.ts";
import { type Ports, portName } from "../base/port-kind.ts";
import { routeMap } from "../base/route-map-name.ts";
import { shapedService } from "../base/service-shape.ts";
import { area, inArea, metric, metricType } from "./kinds.ts";

const REDISTRIBUTED = ["connected", "static", "rip", "bgp"] as const;
/** FRR's reference, and the bandwidth that it takes for a port without one, in megabits per second. */
export const REFERENCE_BANDWIDTH = 100_000;
export const PORT_BANDWIDTH = 10_000;
const MAX_NETWORKS = 64;
const MAX_AREAS = 64;
const MAX_MS = 600_000;
/** FRR's metrics of redistributed routes, and of a default route that is in the table, or always announced. */
const METRIC = 20;
export const DEFAULT_ROUTE_METRIC = 10;
export const ALWAYS_METRIC = 1;

/** FRR clears the bits after the prefix. */
const prefix = spelled<Ports>(
  "a prefix, like 10.0.0.0/8",
  (text) => {
    const parsed = parsePrefix4(text);
    return parsed && formatPrefix4({ ...parsed, address: network4(parsed.address, parsed.prefixLength) });
  },
  { placeholder: "PREFIX" },
);

const STUBS = ["stub", "stub no-summary"] as const;
const areaType: Kind<(typeof STUBS)[number], Ports> = {
  ...choice(...STUBS),
  placeholder: "stub [no-summary]",
  parse: (words) => words.join(" ").toLowerCase(),
};

const redistribution = record({
  metric: setting(metric, METRIC),
  metric_type: setting(metricType, "2", { name: "metricType", line: "metric-type" }),
  route_map: routeMap,
});

const distance = integer(1, 255);

const DEFAULT_ROUTE = {
  always: setting(flag, false),
  metric: optional(metric),
  metric_type: setting(metricType, "2", { name: "metricType", line: "metric-type" }),
  route_map: routeMap,
} as const;
const { always: _, ...WITHOUT_ALWAYS } = DEFAULT_ROUTE;
const withoutAlways = record(WITHOUT_ALWAYS);

/** FRR's `always` has no value. */
const defaultRoute: Kind<SpecOf<typeof DEFAULT_ROUTE>> = {
  ...record<unknown, typeof DEFAULT_ROUTE>(DEFAULT_ROUTE),
  placeholder: `[always] ${withoutAlways.placeholder}`,
  words: ({ always, ...others }) =>
    [...(always ? ["always"] : []), withoutAlways.words(others)].join(" ").trim(),
  parse(words) {
    const always = words[0]?.toLowerCase() === "always";
    const others = withoutAlways.parse(always ? words.slice(1) : words);
    return others === undefined ? undefined : { ...(others as object), always };
  },
};

const milliseconds = integer(0, MAX_MS, { placeholder: "MILLISECONDS" });

const SHAPE = {
  router_id: optional(ipv4, {
    about: "the id; without one, the highest address of a loopback interface, or of any",
    name: "routerId",
    line: "ospf router-id",
  }),
  networks: setting(
    map<string, Ports>(prefix, inArea as Kind<string, Ports>, { max: MAX_NETWORKS, keys: "networks" }),
    {},
    {
      about: "on ports with an address in the prefix, which are in the area",
      line: "network",
    },
  ),
  areas: setting(
    map(area as Kind<string, Ports>, areaType, { max: MAX_AREAS, keys: "areas" }),
    {},
    {
      about: "an area without external routes; no-summary: with a default route alone",
      line: "area",
    },
  ),
  passive: setting(list(portName, { max: MAX_NETWORKS, isDistinct: true }), [], {
    about: "announce the subnet of a port, and send and take nothing there",
  }),
  passive_default: unlessUsual(flag, false, {
    about: "all ports are passive but those in active",
    name: "passiveDefault",
  }),
  active: unlessEmpty(list(portName, { max: MAX_NETWORKS, isDistinct: true }), {
    about: "ports that are not passive, with passive_default",
  }),
  redistribute: setting(
    byName(REDISTRIBUTED, redistribution),
    {},
    {
      about: "announce connected subnets without OSPF, or routes of others that are in use",
      line: "redistribute",
    },
  ),
  default_route: optional(defaultRoute, {
    about: "announce a default route, if the router has another one, or always",
    name: "defaultRoute",
    line: "default-information originate",
  }),
  reference_bandwidth: unlessUsual(integer(1, 4_294_967), REFERENCE_BANDWIDTH, {
    about: "megabits per second of a port that costs 1 (100000); each port has 10000",
    name: "referenceBandwidth",
    line: "auto-cost reference-bandwidth",
  }),
  distance: optional(distance, { about: "the distance of all routes (110)", line: "distance" }),
  distances: optional(
    record({
      intra_area: optional(distance, { name: "intra", line: "intra-area" }),
      inter_area: optional(distance, { name: "inter", line: "inter-area" }),
      external: optional(distance),
    }),
    { about: "the distances of some routes", line: "distance ospf" },
  ),
  spf_delay_ms: setting(milliseconds, DEFAULT_TIMERS.spfDelayMs, {
    name: "spfDelayMs",
    about: "milliseconds until routes follow a change",
  }),
  spf_hold_ms: setting(milliseconds, DEFAULT_TIMERS.spfHoldMs, {
    name: "spfHoldMs",
    about: "milliseconds between two computations",
  }),
  spf_max_hold_ms: setting(milliseconds, DEFAULT_TIMERS.spfMaxHoldMs, {
    name: "spfMaxHoldMs",
    about: "what the time between two computations grows to",
  }),
  lsa_interval_ms: setting(milliseconds, DEFAULT_TIMERS.minLsaIntervalMs, {
    about: "least time between two instances of an own LSA (5000)",
    name: "minLsaIntervalMs",
    line: "timers throttle lsa all",
  }),
  lsa_arrival_ms: setting(milliseconds, DEFAULT_TIMERS.minLsaArrivalMs, {
    about: "least time between two instances of an LSA that are taken (1000)",
    name: "minLsaArrivalMs",
    line: "timers lsa min-arrival",
  }),
} as const;

export type OspfSpec = SpecOf<typeof SHAPE>;

export const OSPF = shapedService("ospf", SHAPE, {
  head: "router ospf",
  isBlock: true,
  off: "OSPF is not configured",
  about: "route with OSPF version 2 (RFC 2328); no router ospf ends it, and no before a line takes it back",
  aboutNo: "end OSPF",
  together: [
    ...passiveLines("announce the subnet of a port, and send and take nothing there"),
    together(SHAPE, ["spf_delay_ms", "spf_hold_ms", "spf_max_hold_ms"], {
      head: "timers throttle spf",
      syntax: "DELAY HOLD MAX",
      about:
        "milliseconds until routes follow a change (0), and between two computations (50, growing to 5000)",
    }),
  ],
  order: [
    "ospf router-id",
    "timers throttle spf",
    "timers throttle lsa all",
    "timers lsa min-arrival",
    "auto-cost reference-bandwidth",
    "redistribute",
    "passive-interface",
    "passive-interface default",
    "network",
    "area",
    "default-information originate",
    "distance",
    "distance ospf",
  ],
});

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly ospf?: OspfSpec;
  }
  interface ServicesProperties {
    ospf?: PropertiesOf<typeof SHAPE>;
  }
}
