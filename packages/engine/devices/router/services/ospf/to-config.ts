/** What the configuration of a router means to OSPF: its interfaces, its areas, and the routes that it announces. */

import { contains4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { RouterPort, Tables } from "../../../../net/plane/tables.ts";
import {
  type AreaConfig,
  BACKBONE,
  DEFAULT_INTERFACE,
  type InterfaceConfig,
  type OspfConfig,
  type OspfTimers,
} from "../../../../routing/ospf/config.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { OspfAuthentication } from "../../../../wire/ospf-authentication.ts";
import type { RouterConfig } from "../base/config.ts";
import { isPassive } from "../base/passive-lines.ts";
import { highestAddress } from "../base/router-id.ts";
import { allExternals } from "./externals.ts";
import { parseArea } from "./kinds.ts";
import type { OspfPortSpec } from "./port-settings.ts";
import { type OspfSpec, PORT_BANDWIDTH, REFERENCE_BANDWIDTH } from "./settings.ts";

/** FRR: a dead interval that is not configured follows the hello interval. */
const HELLOS_UNTIL_DEAD = 4;
const HOST_BITS = 32;
const MAX_COST = 65_535;

export function toOspfConfig(running: RouterConfig, spec: OspfSpec, tables: Tables): OspfConfig {
  const interfaces = ospfInterfaces(running, spec, tables);
  const ids = new Set(interfaces.map(({ areaId }) => areaId));
  for (const text of Object.keys(spec.areas)) ids.add(parseArea(text)!);
  return {
    routerId: spec.routerId === undefined ? highestAddress(running) : parseIpv4(spec.routerId)!,
    interfaces,
    areas: [...ids].sort((a, b) => a - b).map((id) => areaConfig(id, spec)),
    timers: timersOf(spec),
    externals: allExternals(running, spec, tables, interfaces),
    isBoundary: Object.keys(spec.redistribute).length > 0 || spec.defaultRoute !== undefined,
  };
}

const timersOf = ({
  spfDelayMs,
  spfHoldMs,
  spfMaxHoldMs,
  minLsaIntervalMs,
  minLsaArrivalMs,
}: OspfSpec): OspfTimers => ({
  spfDelayMs,
  spfHoldMs,
  spfMaxHoldMs,
  minLsaIntervalMs,
  minLsaArrivalMs,
});

function areaConfig(id: number, { areas }: OspfSpec): AreaConfig {
  const [, type] = Object.entries(areas).find(([text]) => parseArea(text) === id) ?? [];
  const isStub = type !== undefined && id !== BACKBONE;
  return { id, kind: isStub ? "stub" : "normal", hasNoSummaries: type === "stub no-summary", defaultCost: 1 };
}

/** The interfaces that are up, in an area and in no VRF, in their order. */
function ospfInterfaces(running: RouterConfig, spec: OspfSpec, { ports }: Tables): InterfaceConfig[] {
  const specs = interfacesOf(running);
  const networks = Object.entries(spec.networks).map(([text, area]) => ({
    prefix: parsePrefix4(text)!,
    areaId: parseArea(area)!,
  }));
  // As FRR: the longest prefix decides.
  networks.sort((a, b) => b.prefix.prefixLength - a.prefix.prefixLength);
  return ports.flatMap((port) => {
    const own = specs[port.index]?.ospf ?? {};
    const { ipv4 } = port;
    if (ipv4 === undefined || port.vrf !== undefined) return [];
    const areaId =
      own.area === undefined
        ? networks.find(({ prefix }) => contains4(prefix, ipv4.address))?.areaId
        : parseArea(own.area)!;
    return areaId === undefined ? [] : [interfaceConfig(port, ipv4, areaId, own, spec)];
  });
}

function interfaceConfig(
  { index, name, kind, mtuBytes }: RouterPort,
  { address, prefixLength }: NonNullable<RouterPort["ipv4"]>,
  areaId: number,
  own: Partial<OspfPortSpec>,
  spec: OspfSpec,
): InterfaceConfig {
  const helloSeconds = own.helloSeconds ?? DEFAULT_INTERFACE.helloSeconds;
  const isTunnel = kind === "gre";
  return {
    port: index,
    name,
    address,
    prefixLength,
    mtuBytes,
    areaId,
    network: kind === "loopback" ? "loopback" : (own.network ?? (isTunnel ? "point-to-point" : "broadcast")),
    cost: own.cost ?? automaticCost(spec),
    priority: own.priority ?? DEFAULT_INTERFACE.priority,
    helloSeconds,
    deadSeconds: own.deadSeconds ?? HELLOS_UNTIL_DEAD * helloSeconds,
    retransmitSeconds: own.retransmitSeconds ?? DEFAULT_INTERFACE.retransmitSeconds,
    transmitDelaySeconds: own.transmitDelaySeconds ?? DEFAULT_INTERFACE.transmitDelaySeconds,
    isPassive: (own.passive ?? isPassive(spec, name)) || prefixLength === HOST_BITS,
    ignoresMtu: own.ignoresMtu === true,
    authentication: authenticationOf(own),
  };
}

/** As FRR rounds it. */
const automaticCost = ({ referenceBandwidth = REFERENCE_BANDWIDTH }: OspfSpec): number =>
  Math.min(MAX_COST, Math.max(1, Math.floor(referenceBandwidth / PORT_BANDWIDTH + 0.5)));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function authenticationOf({
  authentication,
  password = "",
  digestKeys = {},
}: Partial<OspfPortSpec>): OspfAuthentication {
  if (authentication === undefined) return { type: "none" };
  if (authentication === "password") return { type: "password", password: bytesOf(password) };
  const keys = Object.entries(digestKeys).map(([id, key]) => ({
    id: Number(id),
    key: bytesOf(key),
    digest: "md5" as const,
  }));
  // FRR signs with key 0 of no characters where none is configured.
  return { type: "digest", keys: keys.length > 0 ? keys : [{ id: 0, key: bytesOf(""), digest: "md5" }] };
}
