/** Why an adjacency is not up, as far as the settings of both ends show it. */
import type { OspfPort } from "../guest-state/neighbours.ts";
import type { Adjacency, PortEnd, SessionEnd } from "./find-adjacencies.ts";
import { type OspfEnd, ospfDifferences, v4Of } from "./ospf-end.ts";
import type { Settings } from "./questions.ts";
import type { BgpRule, IsisRule, OspfRule } from "./router-config.ts";

export type SettingsOf = ReadonlyMap<string, Settings>;

/** @param settings what the daemons have made of their configurations. */
export function reasonsFor(adjacency: Adjacency, settings: SettingsOf): readonly string[] {
  switch (adjacency.protocol) {
    case "ospf":
    case "ospf6":
      return ospfReasons(adjacency.protocol, adjacency.ends, settings);
    case "isis":
      return isisReasons(adjacency.ends);
    case "bgp":
      return bgpReasons(adjacency.ends);
    case "bfd":
      return [];
  }
}

type Ends<T> = readonly [T, T];

function ospfReasons(
  protocol: "ospf" | "ospf6",
  ends: Ends<PortEnd<OspfRule>>,
  settings: SettingsOf,
): readonly string[] {
  const [own, others] = ends.map(({ router, port }) =>
    settings.get(router.node)?.[protocol].find((each) => each.port === port.name),
  );
  const [one, other] = ends;
  return [
    ...[own, others].flatMap((port, index) => (port === undefined ? notRunning(ends[index]) : [])),
    ...ospfDifferences(
      toOspfEnd(one, own, protocol === "ospf"),
      toOspfEnd(other, others, protocol === "ospf"),
    ),
  ];
}

/** @param found what the daemon shows; undefined if it does not run there. */
const toOspfEnd = (
  { router, port, rule }: PortEnd<OspfRule>,
  found: OspfPort | undefined,
  hasNetworks: boolean,
): OspfEnd => ({
  node: router.node,
  port: port.name,
  area: found?.area ?? rule.area,
  place: `${rule.at.file}:${rule.at.line}`,
  areaKind: rule.areaKind,
  network: found?.network,
  isPassive: found?.isPassive ?? false,
  helloMs: found?.helloMs,
  deadMs: found?.deadMs,
  mtu: port.mtu,
  addresses: hasNetworks ? v4Of(port) : undefined,
  routerId: found?.routerId,
  authentication: rule.authentication(port.name),
  // BIRD's keys are not read.
  areKeysKnown: router.daemon === "frr",
});

const notRunning = (end: PortEnd<OspfRule> | undefined): string[] =>
  end === undefined
    ? []
    : [
        `it does not run on ${end.router.node} ${end.port.name}, although ${end.rule.at.file}:${end.rule.at.line} has it: ${end.rule.at.text}`,
      ];

function isisReasons([one, other]: Ends<PortEnd<IsisRule>>): readonly string[] {
  const common = one.rule.levels.filter((level) => other.rule.levels.includes(level));
  const levels = ({ rule }: PortEnd<IsisRule>) => rule.levels.join(" and ") || "none";
  if (common.length === 0)
    return [
      `level ${levels(one)} on ${one.router.node} ${one.port.name}, ${levels(other)} on ${other.router.node} ${other.port.name}`,
    ];
  return !common.includes(2) && one.rule.area !== other.rule.area
    ? [
        `level 1 alone, and area ${one.rule.area} on ${one.router.node}, ${other.rule.area} on ${other.router.node}`,
      ]
    : [];
}

function bgpReasons(ends: Ends<SessionEnd>): readonly string[] {
  const [one, other] = ends;
  return [
    ...wrongAs(one, other),
    ...wrongAs(other, one),
    ...(one.rule.isPassive && other.rule.isPassive ? ["both ends wait for the other: they are passive"] : []),
    ...passwords(one, other),
  ];
}

/** What one end takes the other for. */
function wrongAs({ router, rule }: SessionEnd, other: SessionEnd): string[] {
  const { localAs } = other.rule;
  if (localAs === undefined || isRight(rule, localAs)) return [];
  const place = `${rule.at.file}:${rule.at.line}`;
  return [
    `${router.node} expects AS ${rule.remoteAs} (${place}), and ${other.router.node} has AS ${localAs}`,
  ];
}

function isRight({ remoteAs, localAs }: BgpRule, as: number): boolean {
  if (remoteAs === "external") return localAs === undefined || localAs !== as;
  return remoteAs === "internal" ? localAs === undefined || localAs === as : remoteAs === as;
}

function passwords(one: SessionEnd, other: SessionEnd): string[] {
  if (one.rule.password === other.rule.password) return [];
  const without = [one, other].find(({ rule }) => rule.password === undefined);
  return [
    without
      ? `${without.router.node} has no password for the session`
      : "the passwords of the session differ",
  ];
}
