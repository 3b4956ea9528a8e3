/** What a guest is asked about its neighbours: one script of several commands, with a mark before the output of each. */
import {
  parseBirdBfd,
  parseBirdBgp,
  parseBirdOspfNeighbours,
  parseBirdOspfPorts,
  parseBirdRouterId,
} from "../guest-state/bird.ts";
import { parseFrrBfdPeers, parseFrrBgpNeighbours, parseFrrIsisNeighbours } from "../guest-state/frr-bgp.ts";
import {
  parseFrrOspf6Neighbours,
  parseFrrOspf6Ports,
  parseFrrOspfNeighbours,
  parseFrrOspfPorts,
} from "../guest-state/frr-ospf.ts";
import { type IpPort, parseIpPorts } from "../guest-state/ip.ts";
import type {
  BfdPeer,
  BgpNeighbour,
  IsisNeighbour,
  OspfNeighbour,
  OspfPort,
} from "../guest-state/neighbours.ts";

export type Daemon = "frr" | "bird";
export type Protocol = "ospf" | "ospf6" | "isis" | "bgp" | "bfd";

/** What a guest has answered; undefined where its daemon does not run or has printed something else. */
export interface Neighbours {
  /** False if a program has printed something that the reader does not understand: nothing follows from it. */
  readonly isUnderstood: boolean;
  readonly ospf: readonly OspfNeighbour[] | undefined;
  readonly ospf6: readonly OspfNeighbour[] | undefined;
  readonly isis: readonly IsisNeighbour[] | undefined;
  readonly bgp: readonly BgpNeighbour[] | undefined;
  readonly bfd: readonly BfdPeer[] | undefined;
}

export interface Settings {
  readonly ports: readonly IpPort[];
  readonly ospf: readonly OspfPort[];
  readonly ospf6: readonly OspfPort[];
  readonly routerId6: string | undefined;
}

/**
 * A daemon of FRR answers on its own port of TCP, behind the password of the image `frr`: vtysh takes half a second of the guest to make its
 * tables of commands. If the port or the password is another one, vtysh asks.
 */
const ASK = `ask() {
  output=$(printf 'zebra\\nterminal length 0\\n%s\\nexit\\n' "$2" | nc 127.0.0.1 "$1" 2> /dev/null)
  case $output in *"> $2"*) echo "$output" ;; *) vtysh -c "$2" ;; esac
}`;
const PORTS = { zebra: 2601, ospfd: 2604, bgpd: 2605, ospf6d: 2606, isisd: 2608, bfdd: 2617 } as const;

const ask = (daemon: keyof typeof PORTS, command: string): string => `ask ${PORTS[daemon]} '${command}'`;

const COMMANDS = {
  ip: "ip -j addr",
  running: "vtysh -c 'show running-config'",
  "frr ospf": ask("ospfd", "show ip ospf neighbor json"),
  "frr ospf6": ask("ospf6d", "show ipv6 ospf6 neighbor json"),
  "frr isis": ask("isisd", "show isis neighbor json"),
  "frr bgp": ask("bgpd", "show bgp neighbors json"),
  "frr ospf vrfs": ask("ospfd", "show ip ospf vrf all neighbor json"),
  "frr ospf6 vrfs": ask("ospf6d", "show ipv6 ospf6 vrf all neighbor json"),
  "frr bgp vrfs": ask("bgpd", "show bgp vrf all neighbors json"),
  "frr bfd": ask("bfdd", "show bfd peers json"),
  "frr ospf ports": ask("ospfd", "show ip ospf interface json"),
  "frr ospf ports vrfs": ask("ospfd", "show ip ospf vrf all interface json"),
  "frr ospf6 ports vrfs": ask("ospf6d", "show ipv6 ospf6 vrf all interface json"),
  "frr ospf6 ports": ask("ospf6d", "show ipv6 ospf6 interface json"),
  "frr routes": ask("zebra", "show ip route json"),
  "frr routes 6": ask("zebra", "show ipv6 route json"),
  "frr bgp routes": ask("bgpd", "show bgp ipv4 unicast json"),
  "frr ospf6 id": ask("ospf6d", "show ipv6 ospf6 json"),
  "bird ospf": "birdc show ospf neighbors",
  "bird bgp": "birdc show protocols all",
  "bird bfd": "birdc show bfd sessions",
  "bird ospf ports": "birdc show ospf interface",
  "bird status": "birdc show status",
} as const;
export type Question = keyof typeof COMMANDS;
export type Answers = ReadonlyMap<string, string>;

/** A character that no program prints; \u0001 is part of what a terminal agrees on. */
const MARK = "\u001e";

/** Errors are left out: they would stand between JSON. */
export const scriptOf = (questions: readonly Question[]): string =>
  [
    ASK,
    ...questions.map((each) => `printf '\\036${each}\\n'; ${COMMANDS[each]} 2> /dev/null`),
    "exit 0",
    "",
  ].join("\n");

export const readAnswers = (output: string): Answers =>
  new Map(
    output.split(MARK).map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), withoutTerminal(part.slice(end + 1))];
    }),
  );

/** A daemon repeats the command behind its prompt, prints the answer, and repeats `exit`. */
function withoutTerminal(output: string): string {
  const text = output.replaceAll("\r", "");
  return /^\S*> show .*\n([\s\S]*?)^\S*> exit$/m.exec(text)?.[1] ?? text;
}

/** Protocols that FRR shows for each VRF; BFD is shown for all of them. */
const VRF_QUESTIONS: Readonly<Partial<Record<Protocol, Question>>> = {
  ospf: "frr ospf vrfs",
  ospf6: "frr ospf6 vrfs",
  bgp: "frr bgp vrfs",
};

/**
 * @param hasVrfs whether the configuration has neighbours in tables of routes of their own.
 * @returns the questions that find out about the neighbours of these protocols.
 */
export function questionsAbout(
  daemon: Daemon,
  protocols: ReadonlySet<Protocol>,
  hasVrfs = false,
): readonly Question[] {
  if (daemon === "frr")
    return [...protocols].map(
      (each): Question => (hasVrfs ? VRF_QUESTIONS[each] : undefined) ?? `frr ${each}`,
    );
  const asked = [...protocols].flatMap((each): Question[] =>
    each === "isis" ? [] : [each === "ospf6" ? "bird ospf" : `bird ${each}`],
  );
  return [...new Set(asked)];
}

export function neighboursIn(daemon: Daemon, answers: Answers): Neighbours {
  const of = (question: Question): string => answers.get(question) ?? "";
  let isUnderstood = true;
  /** A daemon that does not run prints nothing. */
  const read = <T>(question: Question, parse: (text: string) => T | undefined): T | undefined => {
    const parsed = parse(of(question));
    if (parsed === undefined && of(question).trim() !== "") isUnderstood = false;
    return parsed;
  };
  if (daemon === "frr") {
    const asked = (question: Question, ofVrfs: Question) => (answers.has(ofVrfs) ? ofVrfs : question);
    const all = {
      ospf: read(asked("frr ospf", "frr ospf vrfs"), parseFrrOspfNeighbours),
      ospf6: read(asked("frr ospf6", "frr ospf6 vrfs"), parseFrrOspf6Neighbours),
      isis: read("frr isis", parseFrrIsisNeighbours),
      bgp: read(asked("frr bgp", "frr bgp vrfs"), parseFrrBgpNeighbours),
      bfd: read("frr bfd", parseFrrBfdPeers),
    };
    return { ...all, isUnderstood };
  }
  const ospf = read("bird ospf", parseBirdOspfNeighbours);
  const [bgp, bfd] = [read("bird bgp", parseBirdBgp), read("bird bfd", parseBirdBfd)];
  return { ospf: ospf?.ospf, ospf6: ospf?.ospf6, isis: undefined, bgp, bfd, isUnderstood };
}

/** @returns the questions about what the daemon has made of its configuration. */
export function questionsAboutSettings(
  daemon: Daemon,
  protocols: ReadonlySet<Protocol>,
  hasVrfs = false,
): readonly Question[] {
  const [is2, is3] = [protocols.has("ospf"), protocols.has("ospf6")];
  if (daemon === "bird") return ["ip", ...(is2 || is3 ? (["bird ospf ports", "bird status"] as const) : [])];
  return [
    "ip",
    ...(is2 ? [hasVrfs ? ("frr ospf ports vrfs" as const) : ("frr ospf ports" as const)] : []),
    ...(is3
      ? [hasVrfs ? ("frr ospf6 ports vrfs" as const) : ("frr ospf6 ports" as const), "frr ospf6 id" as const]
      : []),
  ];
}

export function settingsIn(daemon: Daemon, answers: Answers): Settings {
  const of = (question: Question): string => answers.get(question) ?? "";
  const ports = parseIpPorts(of("ip")) ?? [];
  if (daemon === "frr")
    return {
      ports,
      ospf: parseFrrOspfPorts(of("frr ospf ports vrfs") || of("frr ospf ports")) ?? [],
      ospf6: parseFrrOspf6Ports(of("frr ospf6 ports vrfs") || of("frr ospf6 ports")) ?? [],
      routerId6: /"routerId":"([0-9.]+)"/.exec(of("frr ospf6 id"))?.[1],
    };
  const ospf = parseBirdOspfPorts(of("bird ospf ports"));
  const routerId = parseBirdRouterId(of("bird status"));
  return {
    ports,
    ospf: (ospf?.ospf ?? []).map((port) => ({ ...port, routerId })),
    ospf6: ospf?.ospf6 ?? [],
    routerId6: routerId,
  };
}
