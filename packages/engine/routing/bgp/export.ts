/** What a neighbour is told of a route (RFC 4271, section 9.1.3; RFC 4456, section 8; RFC 8212). */
import { isKeptBack, OWN_ATTRIBUTES, type RouteAttributes } from "./attributes.ts";
import type { Judged } from "./config.ts";
import { type AsPath, prepended, withoutPrivate } from "./paths.ts";
import type { Prefix } from "./prefix.ts";
import { type Bgp, type Neighbour, type Path, sessionOf } from "./state.ts";

/** The value of the attribute that internal neighbours get. */
const NO_COMMUNITIES: readonly never[] = [];

/** Whether an external neighbour gets nothing, because it has no policy (RFC 8212). */
export const isWithoutPolicy = (
  { config }: Bgp,
  neighbour: NeighbourOfPolicy,
  direction: "in" | "out",
): boolean =>
  config.requiresPolicy &&
  !neighbour.config.isInternal &&
  neighbour.config[direction === "in" ? "policyIn" : "policyOut"] === undefined;

type NeighbourOfPolicy = Pick<Neighbour, "config">;

/** @returns undefined if the neighbour is not told of the route. */
export function exported(bgp: Bgp, to: Neighbour, path: Path, prefix: Prefix): RouteAttributes | undefined {
  const { neighbour: from, attributes: given } = path;
  const { isInternal, policyOut } = to.config;
  if (from === to || isWithoutPolicy(bgp, to, "out") || isKeptBack(given, isInternal)) return undefined;
  const isReflected = isInternal && from?.config.isInternal === true;
  if (isReflected && !mayReflect(bgp, from, to)) return undefined;
  if (isInternal && given.originatorId === to.identifier) return undefined;
  const before: RouteAttributes = {
    ...given,
    asPath: isInternal ? given.asPath : publicPath(bgp, to, given.asPath),
    med: isInternal || from === undefined ? given.med : null,
    localPreference: isInternal
      ? (given.localPreference ?? bgp.config.bestPath.defaultLocalPreference)
      : null,
    originatorId: isReflected ? (given.originatorId ?? from.identifier) : null,
    clusterList: isReflected ? [bgp.config.clusterId, ...given.clusterList] : [],
  };
  const own: Judged = { attributes: before, weight: path.weight };
  const judged = policyOut === undefined ? own : policyOut(own, prefix);
  if (judged === undefined) return undefined;
  const { attributes: after } = judged;
  const hasOwnHop = judged.keepsNextHop || after.nextHop !== given.nextHop;
  return bgp.interning.intern({
    ...withCommunities(after, to),
    asPath: isInternal ? after.asPath : prepended(after.asPath, ...ownNumbers(bgp, to)),
    nextHop: hasOwnHop ? after.nextHop : nextHopFor(bgp, to, given.nextHop, isReflected),
  });
}

function mayReflect({ config }: Bgp, from: Neighbour, to: Neighbour): boolean {
  if (from.config.isClient && to.config.isClient) return config.reflectsBetweenClients;
  return from.config.isClient || to.config.isClient;
}

function publicPath(bgp: Bgp, { config, remoteAs }: Neighbour, path: AsPath): AsPath {
  const { removePrivate } = config;
  if (removePrivate === undefined) return path;
  return withoutPrivate(path, removePrivate.all, remoteAs, removePrivate.replace ? bgp.config.as : undefined);
}

/** The numbers that a path to an external neighbour gets. */
function ownNumbers({ config: { as } }: Bgp, { config: { localAs } }: Neighbour): readonly number[] {
  if (localAs === undefined) return [as];
  return localAs.replaceAs ? [localAs.as] : [localAs.as, as];
}

/** A next hop on the subnet of an external neighbour stays, as that of internal routes does; 0 is the router itself. */
function nextHopFor({ host }: Bgp, to: Neighbour, nextHop: number, isReflected: boolean): number {
  const { nextHopSelf, isInternal } = to.config;
  if (nextHopSelf === "force" || (nextHopSelf === "own" && !isReflected)) return 0;
  if (isInternal || nextHop === 0) return nextHop;
  const link = sessionOf(to);
  const isShared = link !== undefined && host.isOnLink(nextHop, host.sourceOf(link.connection));
  return isShared ? nextHop : 0;
}

function withCommunities(attributes: RouteAttributes, { config: { sends } }: Neighbour): RouteAttributes {
  return {
    ...attributes,
    communities: sends.standard ? attributes.communities : NO_COMMUNITIES,
    extendedCommunities: sends.extended ? attributes.extendedCommunities : NO_COMMUNITIES,
    largeCommunities: sends.large ? attributes.largeCommunities : NO_COMMUNITIES,
  };
}

/** The default route that a neighbour with `default-originate` gets, whatever the table has. */
export const defaultRouteFor = (bgp: Bgp, to: Neighbour): RouteAttributes =>
  bgp.interning.intern({
    ...OWN_ATTRIBUTES,
    asPath: to.config.isInternal ? [] : prepended([], ...ownNumbers(bgp, to)),
    localPreference: to.config.isInternal ? bgp.config.bestPath.defaultLocalPreference : null,
  });
