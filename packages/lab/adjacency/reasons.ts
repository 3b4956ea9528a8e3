/** Why an adjacency is not up, as far as the settings of both ends show it. */
import type { OspfPort } from "../guest-state/neighbours.ts";
import { type Adjacency, type PortEnd, type SessionEnd, sharesNetwork } from "./find-adjacencies.ts";
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
  const [one, other] = ends;
  const [name, otherName] = ends.map(({ router, port }) => `${router.node} ${port.name}`);
  const [own, others] = ends.map(({ router, port }) =>
    settings.get(router.node)?.[protocol].find((each) => each.port === port.name),
  );
  /** @returns a sentence if both are known and differ. */
  const differ = <T>(what: string, here: T | undefined, there: T | undefined, unit = ""): string[] =>
    here === undefined || there === undefined || here === there
      ? []
      : [`${what} ${here}${unit} on ${name}, ${there}${unit} on ${otherName}`];
  const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
  const [place, otherPlace] = ends.map(({ rule }) => `${rule.at.file}:${rule.at.line}`);
  const [area, otherArea] = [own?.area ?? one.rule.area, others?.area ?? other.rule.area];
  return [
    ...[own, others].flatMap((port, index) =>
      port === undefined ? notRunning(ends[index]) : passive(ends[index], port),
    ),
    ...(area === otherArea
      ? []
      : [`area ${area} on ${name} (${place}), ${otherArea} on ${otherName} (${otherPlace})`]),
    ...differ("hello interval", inSeconds(own?.helloMs), inSeconds(others?.helloMs), " s"),
    ...differ("dead interval", inSeconds(own?.deadMs), inSeconds(others?.deadMs), " s"),
    ...differ("network type", own?.network, others?.network),
    ...differ("kind of area", one.rule.areaKind, other.rule.areaKind),
    ...authentication(ends),
    ...differ("MTU", one.port.mtu, other.port.mtu),
    ...(protocol === "ospf" && !sharesNetwork(one.port, other.port)
      ? differ("address", v4Of(one), v4Of(other))
      : []),
    ...(own?.routerId !== undefined && own.routerId === others?.routerId
      ? [`both have the router ID ${own.routerId}`]
      : []),
  ];
}

const v4Of = ({ port }: PortEnd<OspfRule>): string =>
  port.addresses.filter((address) => !address.includes(":")).join(", ") || "none";

const notRunning = (end: PortEnd<OspfRule> | undefined): string[] =>
  end === undefined
    ? []
    : [
        `it does not run on ${end.router.node} ${end.port.name}, although ${end.rule.at.file}:${end.rule.at.line} has it: ${end.rule.at.text}`,
      ];

const passive = (end: PortEnd<OspfRule> | undefined, { isPassive }: OspfPort): string[] =>
  end !== undefined && isPassive ? [`${end.router.node} ${end.port.name} is passive`] : [];

function authentication([one, other]: Ends<PortEnd<OspfRule>>): string[] {
  const here = one.rule.authentication(one.port.name);
  const there = other.rule.authentication(other.port.name);
  if (here === undefined || there === undefined) return [];
  const [kind, otherKind] = [here.split(",")[0], there.split(",")[0]];
  if (kind !== otherKind)
    return [
      `authentication ${kind} on ${one.router.node} ${one.port.name}, ${otherKind} on ${other.router.node} ${other.port.name}`,
    ];
  // BIRD's keys are not read.
  const areKeysKnown = one.router.daemon === "frr" && other.router.daemon === "frr";
  return here !== there && areKeysKnown ? ["the keys of the authentication differ"] : [];
}

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
