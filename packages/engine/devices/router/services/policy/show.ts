/** `show pbr ...`, in the words of FRR. */

import { formatAnyPrefix } from "../../../../net/address/prefix.ts";
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { Parts } from "../base/parts.ts";
import { hopText, type PbrRule, portText, protocolText } from "./pbr-rule.ts";
import type { PolicyRouting } from "./policy-routing.ts";
import { vrfsOfMap } from "./tracked-hops.ts";

type Lines = readonly string[];

export const showPbrMaps = (parts: Parts): Lines => {
  const maps = parts.core.running.pbrMaps ?? [];
  return maps.length === 0 ? ["No PBR maps"] : maps.flatMap(({ name }) => mapLines(parts, name));
};

/** @param name as typed. */
export function showPbrMap(parts: Parts, name: string): Lines {
  const isThere = parts.core.running.pbrMaps?.some((map) => map.name === name);
  return isThere ? mapLines(parts, name) : [`There is no PBR map ${name}: show pbr map lists them`];
}

export function showPbrInterfaces({ core }: Parts): Lines {
  const lines = interfacesOf(core.running).flatMap(({ name, pbr }, index) =>
    pbr === undefined ? [] : [`  ${name}(${index}) with pbr-policy ${pbr}`],
  );
  return lines.length === 0 ? ["No port has a PBR map"] : lines;
}

export function clearPbrCounters({ services }: Parts): Lines {
  services.find<PolicyRouting>("pbr")?.clear();
  return [];
}

function mapLines({ core, services }: Parts, name: string): string[] {
  const policy = services.find<PolicyRouting>("pbr")!;
  const users = vrfsOfMap(core.running, name);
  const vrfs = users.length === 0 ? [undefined] : users;
  return [
    `  pbr-map ${name}`,
    ...policy
      .list(name)
      .flatMap(([rule, hits]) => [
        `    Seq: ${rule.number}, ${hits === 1 ? "1 packet" : `${hits} packets`}`,
        ...[...matchLines(rule), ...actionLines(rule, policy, vrfs)].map((line) => `        ${line}`),
      ]),
  ];
}

const matchLines = ({ match: { from, to, protocol, fromPorts, toPorts }, dscp }: PbrRule): string[] =>
  [
    from && `SRC IP Match: ${formatAnyPrefix(from)}`,
    to && `DST IP Match: ${formatAnyPrefix(to)}`,
    protocol !== undefined && `IP Protocol Match: ${protocolText(protocol)}`,
    fromPorts && `SRC Port Match: ${portText(fromPorts)}`,
    toPorts && `DST Port Match: ${portText(toPorts)}`,
    dscp !== undefined && `DSCP Match: ${dscp}`,
  ].filter((line) => typeof line === "string");

function actionLines(
  { action, mark }: PbrRule,
  policy: PolicyRouting,
  vrfs: readonly (string | undefined)[],
): string[] {
  const set = mark === undefined ? [] : [`Set DSCP: ${mark}`];
  if (action.kind === "vrf") return [...set, `VRF Lookup: ${action.vrf}`];
  if (action.kind === "drop") return ["Drop"];
  if (action.kind === "continue") return set;
  const hops = action.hops.flatMap((hop) => [
    hopText(hop),
    ...vrfs.map((vrf) => {
      const why = policy.obstacleOf(hop, vrf);
      const where = vrf === undefined ? "" : ` VRF: ${vrf}`;
      return `    Installed: ${why === undefined ? "yes" : `no Reason: ${why}`}${where}`;
    }),
  ]);
  return [...set, ...hops];
}
