/** The settings of RIP. */

import { contains4, formatPrefix4, network4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import { byName, list } from "../../../../settings/collections.ts";
import {
  checked,
  choice,
  flag,
  integer,
  type Kind,
  seconds,
  spelled,
  type ValueOf,
} from "../../../../settings/kind.ts";
import { together } from "../../../../settings/lines.ts";
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import {
  type DraftOf,
  optional,
  type PropertiesOf,
  type SpecOf,
  setting,
  unlessEmpty,
  unlessUsual,
} from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { passiveLines } from "../base/passive-lines.ts";
import { namedPort, type Ports, portName } from "../base/port-kind.ts";
import { routeMap } from "../base/route-map-name.ts";
import { shapedService } from "../base/service-shape.ts";
import { authenticationByPort } from "./authentication-settings.ts";
import { distribution } from "./distribution.ts";

const MAX_NETWORKS = 64;
const MAX_NEIGHBORS = 64;
/** RFC 2453, section 3.8. */
const UPDATE_SECONDS = 30;
const TIMEOUT_SECONDS = 180;
const GARBAGE_SECONDS = 120;
const timer = seconds(5, 86_400);
const MAX_METRIC = 15;
const MAX_TAG = 0xffff;

/** FRR clears the bits after the prefix. */
const network = spelled<Ports>(
  "a prefix (10.0.0.0/8) or the name of a port",
  (text, ports) => {
    const prefix = parsePrefix4(text);
    if (prefix === null) return namedPort(text, ports);
    return formatPrefix4({ ...prefix, address: network4(prefix.address, prefix.prefixLength) });
  },
  { placeholder: "PREFIX|PORT" },
);

const neighbor: Kind<string, Ports> = checked(ipv4, (text, ports: Ports) => {
  const address = parseIpv4(text);
  // Subnets of ports that are invalid are unknown.
  const subnets = ports?.map((port) => port.ipv4) ?? [null];
  if (address === null || subnets.some((subnet) => subnet === null)) return undefined;
  const subnet = subnets.find((each) => each && contains4(each, address));
  if (!subnet) return `the neighbor ${text} is not on the subnet of any port`;
  return subnet.address === address ? `${text} is the router's own address` : undefined;
});

const redistribution = record({
  metric: setting(integer(1, MAX_METRIC), 1),
  tag: setting(integer(0, MAX_TAG), 0),
  route_map: routeMap,
});

const splitHorizon = choice("poisoned-reverse", "simple", "off");
export type SplitHorizon = ValueOf<typeof splitHorizon>;

const SHAPE = {
  /** RIP runs on ports with an address in one of these prefixes, and on ports with these names. */
  networks: setting(list(network, { max: MAX_NETWORKS, isDistinct: true }), [], {
    about: "on ports with an address in the prefix, or on a port",
    line: "network",
  }),
  passive: setting(list(portName, { max: MAX_NETWORKS, isDistinct: true }), [], {
    about: "receive updates on a port, and send none",
  }),
  passive_default: unlessUsual(flag, false, {
    about: "all ports are passive but those in active",
    name: "passiveDefault",
  }),
  active: unlessEmpty(list(portName, { max: MAX_NETWORKS, isDistinct: true }), {
    about: "ports that are not passive, with passive_default",
  }),
  distance: optional(integer(1, 255), { about: "the distance of its routes (120)", line: "distance" }),
  distribute: unlessEmpty(list(distribution, { max: MAX_NETWORKS }), {
    about: "take (in) or send (out) only routes that the list permits, at all ports or at one",
    line: "distribute-list prefix",
  }),
  neighbors: setting(list(neighbor, { max: MAX_NEIGHBORS, isDistinct: true }), [], {
    about: "send updates to a neighbor, too, as unicast",
    line: "neighbor",
  }),
  redistribute: setting(
    byName(["connected", "static", "ospf", "bgp"], redistribution),
    {},
    {
      about: "announce connected subnets without RIP, or routes of others that are in use",
      line: "redistribute",
    },
  ),
  default_route: setting(flag, false, {
    about: "announce a default route",
    line: "default-information originate",
    name: "isDefaultAnnounced",
    isPresence: true,
  }),
  split_horizon: setting(splitHorizon, "poisoned-reverse", {
    about: "what neighbours hear of their own routes",
    line: "split-horizon",
    name: "splitHorizon",
    // The default of FRR is another one.
    isShown: true,
  }),
  update_seconds: setting(timer, UPDATE_SECONDS, { name: "updateSeconds", about: "seconds between updates" }),
  timeout_seconds: setting(timer, TIMEOUT_SECONDS, {
    name: "timeoutSeconds",
    about: "seconds without an update until a route is lost",
  }),
  garbage_seconds: setting(timer, GARBAGE_SECONDS, {
    name: "garbageSeconds",
    about: "seconds until a lost route is forgotten",
  }),
  authentication: unlessEmpty(authenticationByPort, {
    about:
      "take only messages with a key from a port, and send messages with the first key; passwords (text) have no ID",
    line: "authentication",
  }),
} as const;

export type RipSpec = SpecOf<typeof SHAPE>;

/** A route that times out between two updates comes and goes. */
function checkTimeout(
  { updateSeconds, timeoutSeconds }: DraftOf<typeof SHAPE>,
  reader: PropertyReader,
): void {
  if (!updateSeconds || !timeoutSeconds || timeoutSeconds > updateSeconds) return;
  reader.add(
    ["rip", "timeout_seconds"],
    `a timeout of ${timeoutSeconds} s is not longer than the ${updateSeconds} s between updates`,
  );
}

export const RIP = shapedService("rip", SHAPE, {
  head: "router rip",
  isBlock: true,
  off: "RIP is not configured",
  about: "route with RIP version 2 (RFC 2453); no router rip ends it, and no before a line takes it back",
  aboutNo: "end RIP",
  rules: checkTimeout,
  together: [
    ...passiveLines("receive updates on a port, and send none"),
    together(SHAPE, ["update_seconds", "timeout_seconds", "garbage_seconds"], {
      head: "timers basic",
      syntax: "UPDATE TIMEOUT GARBAGE",
      about: "seconds between updates (30), until a route is lost (180), and until it is forgotten (120)",
    }),
  ],
  order: [
    "timers basic",
    "split-horizon",
    "default-information originate",
    "redistribute",
    "network",
    "neighbor",
    "passive-interface",
    "passive-interface default",
    "distance",
    "distribute-list prefix",
    "authentication",
  ],
});

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly rip?: RipSpec;
  }
  interface ServicesProperties {
    rip?: PropertiesOf<typeof SHAPE>;
  }
}
