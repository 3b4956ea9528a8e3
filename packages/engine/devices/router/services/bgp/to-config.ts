/** What the configuration of a router means to BGP. */
import { parsePrefix4 } from "../../../../net/address/prefix.ts";
import { findPort } from "../../../../net/plane/find-port.ts";
import type { Tables } from "../../../../net/plane/tables.ts";
import type { BgpConfig, NeighbourConfig, Redistributed } from "../../../../routing/bgp/config.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { RouterConfig } from "../base/config.ts";
import { highestAddress } from "../base/router-id.ts";
import type { NeighbourSpec } from "./neighbour-settings.ts";
import { policiesFor } from "./policy.ts";
import type { BgpSpec } from "./shape.ts";

const INTERNAL_TTL = 255;
const CONNECT_SECONDS = 120;
/** FRR's threshold of a warning about prefixes. */
const THRESHOLD = 75;
const ALL_COMMUNITIES = { standard: true, extended: true, large: true };

export function toBgpConfig(running: RouterConfig, spec: BgpSpec, tables: Tables): BgpConfig {
  const routerId = spec.routerId === undefined ? highestAddress(running) : parseIpv4(spec.routerId)!;
  return {
    as: spec.as,
    routerId,
    clusterId: spec.clusterId === undefined ? routerId : parseIpv4(spec.clusterId)!,
    requiresPolicy: spec.requiresPolicy,
    checksNetworks: spec.checksNetworks,
    reflectsBetweenClients: spec.reflectsBetweenClients,
    bestPath: {
      alwaysCompareMed: spec.alwaysCompareMed,
      deterministicMed: spec.deterministicMed,
      ignoresAsPath: spec.ignoresAsPath,
      relaxesMultipath: spec.relaxesMultipath,
      comparesRouterId: spec.comparesRouterId,
      missingMedIsWorst: spec.missingMedIsWorst,
      defaultLocalPreference: spec.localPreference,
    },
    maximumPaths: { external: spec.maximumPaths, internal: spec.maximumInternalPaths },
    distances: {
      external: spec.externalDistance,
      internal: spec.internalDistance,
      local: spec.localDistance,
    },
    networks: spec.networks.map((text) => {
      const { address, prefixLength } = parsePrefix4(text)!;
      return { network: address, length: prefixLength };
    }),
    redistribute: new Map(
      Object.entries(spec.redistribute).map(([source, { metric }]) => [source as Redistributed, { metric }]),
    ),
    neighbours: Object.entries(spec.neighbors).map(([address, own]) =>
      neighbourConfig(parseIpv4(address)!, own, spec, { running, tables }),
    ),
  };
}

function neighbourConfig(
  address: number,
  own: NeighbourSpec,
  spec: BgpSpec,
  { running, tables }: { readonly running: RouterConfig; readonly tables: Tables },
): NeighbourConfig {
  const ownAs = own.localAs?.as ?? spec.as;
  const isInternal = own.remoteAs === "internal" || own.remoteAs === ownAs;
  return {
    address,
    remoteAs: own.remoteAs === "external" ? 0 : isInternal ? ownAs : (own.remoteAs as number),
    isInternal,
    localAs: own.localAs && {
      as: own.localAs.as,
      noPrepend: own.localAs.noPrepend ?? false,
      replaceAs: own.localAs.replaceAs ?? false,
    },
    ownAs,
    description: own.description,
    isShutDown: own.shutdown ?? false,
    isPassive: own.passive ?? false,
    ttl: isInternal ? INTERNAL_TTL : (own.multihop ?? 1),
    mustBeConnected: !isInternal && (own.multihop ?? 1) === 1 && !own.ignoresConnected,
    source: sourceOf(own.source, tables),
    keepaliveSeconds: own.keepaliveSeconds ?? spec.keepaliveSeconds,
    holdSeconds: own.holdSeconds ?? spec.holdSeconds,
    connectSeconds: own.connectSeconds ?? CONNECT_SECONDS,
    advertisementSeconds: own.advertisementSeconds ?? 0,
    isActive: own.isActive ?? spec.activates,
    weight: own.weight,
    nextHopSelf: own.nextHopSelf ?? "no",
    isClient: own.isClient ?? false,
    allowedOwnAs: typeof own.allowsOwnAs === "number" ? own.allowsOwnAs : 0,
    allowsOrigin: own.allowsOwnAs === "origin",
    removePrivate:
      own.removePrivate === undefined || isInternal
        ? undefined
        : { all: own.removePrivate.startsWith("all"), replace: own.removePrivate.endsWith("replace-AS") },
    maximumPrefixes: own.maximumPrefix && {
      most: own.maximumPrefix.most,
      warnsOnly: own.maximumPrefix.warnsOnly ?? false,
      percent: own.maximumPrefix.threshold ?? THRESHOLD,
    },
    originatesDefault: own.originatesDefault ?? false,
    sends: ALL_COMMUNITIES,
    ...policiesFor(running, own, formatIpv4(address)),
  };
}

function sourceOf(text: string | undefined, { ports }: Tables): NeighbourConfig["source"] {
  if (text === undefined) return undefined;
  const address = parseIpv4(text);
  return address ?? { port: findPort(ports, text)?.index ?? -1 };
}
