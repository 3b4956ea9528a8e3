/** The static routes of `properties`, and the rules between them and the interfaces. */
import type { PropertyReader } from "../../settings/property-reader.ts";
import type { DraftOf, Rules } from "../../settings/shape.ts";
import { records } from "../../settings/words.ts";
import { gatewayProblem } from "../address/host-addresses.ts";
import {
  contains4,
  contains6,
  formatAnyPrefix,
  isPrefix4,
  network4,
  network6,
  type Prefix4,
  type Prefix6,
  parseAnyAddress,
  parseAnyPrefix,
} from "../address/prefix.ts";
import { type PlaneDraft, placesOf } from "./places.ts";
import { DEFAULT_DISTANCE, isRejection, parseVia, ROUTE } from "./route-spec.ts";

const MAX_ROUTES = 256;

/** The ports and interfaces; null if their list is invalid. */
type Drafts = readonly PlaneDraft[] | null;
type Draft = DraftOf<typeof ROUTE>;

const rules: Rules<typeof ROUTE, Drafts> = (route, reader, path, ports) => {
  const add = (key: string, message: string): null => reader.add([...path, key], message);
  const to = route.to ? parseAnyPrefix(route.to) : null;
  const via = route.via ? parseVia(route.via) : null;
  const own = ports && placesOf(ports).filter(({ draft }) => draft.vrf === route.vrf);
  const hostBits = to && hostBitsProblem(to);
  if (hostBits) add("to", hostBits);
  const connected = to && own?.find(({ draft }) => isSubnetOf(draft, to));
  if (connected) add("to", `${route.to} is the subnet of ${connected.label}`);
  if (route.track && to && typeof parseAnyAddress(route.track) !== typeof to.address)
    add("track", `${route.to} and ${route.track} are of different families`);
  if (isRejection(via)) {
    if (route.track !== undefined) add("track", `a ${via} route has no gateway to track by`);
  } else if (to && via !== null && typeof to.address !== typeof via)
    add("via", `${route.to} and ${route.via} are of different families`);
  else if (via !== null && own !== null) {
    const wrong = gatewayProblem(
      via,
      own.map(({ draft }) => draft),
    );
    if (wrong !== undefined) add("via", wrong);
  }
  if (route.vrf && own?.length === 0) add("vrf", `no interface is in the VRF ${route.vrf}`);
};

function hostBitsProblem(to: Prefix4 | Prefix6): string | undefined {
  const { prefixLength } = to;
  const cleared: Prefix4 | Prefix6 = isPrefix4(to)
    ? { address: network4(to.address, prefixLength), prefixLength }
    : { address: network6(to.address, prefixLength), prefixLength };
  if (cleared.address === to.address) return undefined;
  return `${formatAnyPrefix(to)} has bits set after its prefix; the network is ${formatAnyPrefix(cleared)}`;
}

function isSubnetOf(port: PlaneDraft, to: Prefix4 | Prefix6): boolean {
  if (isPrefix4(to)) return port.ipv4?.prefixLength === to.prefixLength && contains4(port.ipv4, to.address);
  return port.ipv6?.prefixLength === to.prefixLength && contains6(port.ipv6, to.address);
}

function checkRepeated(routes: readonly (Draft | null)[], reader: PropertyReader): void {
  for (const [index, route] of routes.entries()) {
    if (!route?.to || !route.via || route.distance === null) continue;
    const { to, via, vrf, distance = DEFAULT_DISTANCE } = route;
    const before = routes
      .slice(0, index)
      .find(
        (other) =>
          other?.to === to &&
          other.vrf === vrf &&
          (other.distance === undefined ? DEFAULT_DISTANCE : other.distance) === distance &&
          (other.via === via || isRejection(other.via) || isRejection(via)),
      );
    const as = distance === DEFAULT_DISTANCE ? "" : ` with distance ${distance}`;
    if (before?.via === via) reader.add(["routes", index, "to"], `there is this route to ${to}${as} already`);
    else if (before)
      reader.add(
        ["routes", index, "via"],
        `there is a route to ${to}${as} already: only gateways share packets, so give this one another distance`,
      );
  }
}

export const routes = records<Drafts, typeof ROUTE>(ROUTE, {
  max: MAX_ROUTES,
  rules,
  between: checkRepeated,
});
