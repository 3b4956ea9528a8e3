/** OSPF of a simulated router, from its state between runs. */
import type { RouterSpec, RouterState } from "@wirelab/engine/devices/router/index";
import { ospfBetweenRuns } from "@wirelab/engine/devices/router/services/ospf/between-runs";
import { NEIGHBOUR_WORDS, roleOf } from "@wirelab/engine/devices/router/services/ospf/words";
import { tablesOf } from "@wirelab/engine/devices/router/shell/tables-of";
import type { InterfaceConfig } from "@wirelab/engine/routing/ospf/config";
import type { Ospf } from "@wirelab/engine/routing/ospf/state";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { OspfNeighbour } from "../guest-state/neighbours.ts";
import type { OspfEnd } from "./ospf-end.ts";
import { type OspfView, unknownView } from "./ospf-view.ts";

const MS_PER_SECOND = 1_000;
const AREA_KINDS = { normal: "ordinary", stub: "stub" } as const;

/** @param state undefined for a router that is off. */
export function simulatedOspf(node: string, spec: RouterSpec, state: RouterState | undefined): OspfView {
  if (state === undefined) return unknownView(node, "is off");
  const tables = tablesOf(spec, state);
  const process = ospfBetweenRuns(state.running, tables, state.services?.ospf);
  if (process === undefined) return unknownView(node, "does not run OSPF");
  const ospf = process.state;
  const interfaces = [...ospf.interfaces.values()];
  return {
    node,
    obstacle: undefined,
    ends: interfaces.map(({ config }) => endOf(node, ospf, config)),
    neighbours: interfaces.flatMap((iface) =>
      [...iface.neighbours.values()].map(
        (neighbour): OspfNeighbour => ({
          port: iface.config.name,
          routerId: formatIpv4(neighbour.id),
          address: formatIpv4(neighbour.address),
          state: NEIGHBOUR_WORDS[neighbour.state],
          role: roleOf(iface, neighbour),
        }),
      ),
    ),
    ports: tables.ports.map(({ name, ipv4 }) => ({
      name,
      addresses: ipv4 === undefined ? [] : [`${formatIpv4(ipv4.address)}/${ipv4.prefixLength}`],
    })),
    refused: new Map(
      interfaces
        .filter(({ refused }) => refused.size > 0)
        .map(({ config, refused }) => [
          config.name,
          [...refused].map(([reason, count]) => `${reason} ${count}`).join(", "),
        ]),
    ),
  };
}

function endOf(node: string, { config: { routerId }, areas }: Ospf, own: InterfaceConfig): OspfEnd {
  const kind = areas.get(own.areaId)?.config.kind;
  return {
    node,
    port: own.name,
    area: formatIpv4(own.areaId),
    areaKind: kind && AREA_KINDS[kind],
    network: own.network,
    isPassive: own.isPassive,
    helloMs: own.helloSeconds * MS_PER_SECOND,
    deadMs: own.deadSeconds * MS_PER_SECOND,
    // A router that ignores the MTU has none that could differ.
    mtu: own.ignoresMtu ? undefined : own.mtuBytes,
    addresses: [`${formatIpv4(own.address)}/${own.prefixLength}`],
    routerId: formatIpv4(routerId),
    authentication: authenticationOf(own),
    areKeysKnown: true,
  };
}

/** As the reader of FRR's configuration has it: the kind, and the lines of the keys in their order. */
function authenticationOf({ authentication }: InterfaceConfig): string {
  const textOf = (key: Uint8Array): string => new TextDecoder().decode(key);
  switch (authentication.type) {
    case "none":
      return "none";
    case "password":
      return `simple, authentication-key ${textOf(authentication.password)}`;
    case "digest": {
      const keys = authentication.keys.map(
        ({ id, digest, key }) => `message-digest-key ${id} ${digest} ${textOf(key)}`,
      );
      return ["message digest", ...keys.toSorted()].join(", ");
    }
  }
}
