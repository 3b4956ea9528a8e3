/** The settings of OSPF, in the words of FRR. */

import { formatPrefix4, network4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import { DEFAULT_TIMERS } from "../../../../routing/ospf/config.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import { byName, list, map } from "../../../../settings/collections.ts";
import { checked, choice, flag, integer, type Kind, spelled } from "../../../../settings/kind.ts";
import { together } from "../../../../settings/lines.ts";
import { optional, type PropertiesOf, type SpecOf, setting } from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import { type Ports, portName } from "../base/port-kind.ts";
import { shapedService } from "../base/service-shape.ts";
import { area, inArea, metric, metricType } from "./kinds.ts";

const MAX_NETWORKS = 64;
const MAX_AREAS = 64;
const MAX_MS = 600_000;
/** FRR's metrics of redistributed routes, and of a default route that is in the table, or always announced. */
const METRIC = 20;
export const DEFAULT_ROUTE_METRIC = 10;
export const ALWAYS_METRIC = 1;

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

const STUBS = ["stub", "stub no-summary"] as const;
const areaType: Kind<(typeof STUBS)[number], Ports> = {
  ...choice(...STUBS),
  placeholder: "stub [no-summary]",
  parse: (words) => words.join(" ").toLowerCase(),
};

const redistribution = record({
  metric: setting(metric, METRIC),
  metric_type: setting(metricType, "2", { name: "metricType", line: "metric-type" }),
});

const DEFAULT_ROUTE = {
  always: setting(flag, false),
  metric: optional(metric),
  metric_type: setting(metricType, "2", { name: "metricType", line: "metric-type" }),
} as const;
const withoutAlways = record({ metric: DEFAULT_ROUTE.metric, metric_type: DEFAULT_ROUTE.metric_type });

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
    line: "passive-interface",
  }),
  redistribute: setting(
    byName(["connected", "static"], redistribution),
    {},
    {
      about: "announce connected subnets without OSPF, or static routes",
      line: "redistribute",
    },
  ),
  default_route: optional(defaultRoute, {
    about: "announce a default route, if the router has another one, or always",
    name: "defaultRoute",
    line: "default-information originate",
  }),
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
    "redistribute",
    "passive-interface",
    "network",
    "area",
    "default-information originate",
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
