/** Verdicts about the neighbours that the configurations of routers promise: named at both ends, they are up at the end of the lab. */
import type { LabModel } from "../model/lab-model.ts";
import type { Played } from "../play/play.ts";
import type { Verdict } from "../report/report.ts";
import { compare, PROTOCOL_NAMES, WANTED } from "./compare.ts";
import type { Adjacency, SessionEnd } from "./find-adjacencies.ts";
import { type Interview, interview, WAIT_SECONDS } from "./interview.ts";
import { reasonsFor } from "./reasons.ts";
import { sourceOf } from "./sources.ts";

export interface Judged {
  readonly verdicts: readonly Verdict[];
  /** What no verdict is about, each with its place and why. */
  readonly unchecked: readonly string[];
}

export function judgeAdjacencies(played: Played): Judged {
  const sources = played.model.nodes.flatMap((node) => sourceOf(node) ?? []);
  if (sources.length < 2) return { verdicts: [], unchecked: [] };
  const { boot, timeline, isOutOfTime } = played;
  // A short run does not poll.
  const ended =
    boot.stopped?.limit ?? timeline.stopped?.limit ?? (isOutOfTime?.() ? "cpu_seconds" : undefined);
  if (ended !== undefined) return { verdicts: [undecided(ended)], unchecked: [] };
  const idle = sources.flatMap(({ node }) => {
    const why = whyNotAsked(played, node);
    return why === undefined ? [] : [{ node, why }];
  });
  const asked = sources.filter(({ node }) => !idle.some((each) => each.node === node));
  const unchecked = idle.map(({ node, why }) => `${node}: ${why}`);
  if (asked.length < 2) return { verdicts: [], unchecked };
  return judge(interview(played, asked), unchecked);
}

function whyNotAsked({ model, timeline }: Played, name: string): string | undefined {
  const typed = commandsTyped(model, name).find((command) => !PRINTS.test(command.trim()));
  if (typed !== undefined)
    return `what the timeline types there (${typed}) may change what its configuration promises`;
  const node = timeline.nodes.get(name);
  if (node?.status !== "started") return "is off or suspended at the end";
  if (node.device?.isStarting) return "has not run the commands of its start by the end";
  return node.device?.runScript === undefined ? "runs no commands here" : undefined;
}

/** Commands that change nothing. */
const PRINTS =
  /^(?:vtysh -c (["']?)show [^"';|&]*\1|birdc? show [\w ]*|(?:ping|ping6|cat|ls|sleep|traceroute|ss) [^;|&>`$]*|ip (?:-\S+ )*(?:a|addr|address|r|route|l|link|n|neigh)(?: show[^;|&>`$]*)?)$/;

const commandsTyped = ({ events }: LabModel, name: string): readonly string[] =>
  events.flatMap(({ deeds }) =>
    deeds.flatMap((deed) => (deed.kind === "console" && deed.node === name ? deed.commands : [])),
  );

function judge(answers: Interview, before: readonly string[]): Judged {
  const unchecked = [...before, ...answers.found.unchecked];
  const { adjacencies } = answers.found;
  if (answers.limit !== undefined && adjacencies.length === 0)
    return { verdicts: [undecided(answers.limit)], unchecked };
  return { verdicts: adjacencies.map((adjacency) => verdictOf(adjacency, answers)), unchecked };
}

function verdictOf(adjacency: Adjacency, { neighbours, settings, pending, limit }: Interview): Verdict {
  const isUp = !pending.includes(adjacency);
  const name = `neighbours: ${nameOf(adjacency)}`;
  const expected = WANTED[adjacency.protocol];
  const base = { name, kind: "neighbours", expected, place: undefined };
  if (isUp) return { ...base, status: "passed", got: "up at both ends", evidence: undefined };
  const evidence = { packets: [], death: undefined };
  if (limit !== undefined)
    return { ...base, status: "undecided", got: `the run reached its limit of ${limit}`, evidence };
  const odd = adjacency.ends.find(({ router }) => neighbours.get(router.node)?.isUnderstood === false);
  if (odd !== undefined) {
    const got = `the reader does not understand what ${odd.router.node} prints about its neighbours`;
    return { ...base, status: "undecided", got, evidence };
  }
  const { ends } = compare(adjacency, neighbours);
  const shown = adjacency.ends.map(({ router }, index) => `${router.node} shows ${ends[index]}`).join("; ");
  const reasons = reasonsFor(adjacency, settings);
  return {
    ...base,
    status: "failed",
    got: [`${shown} (${WAIT_SECONDS} s after the end of the lab)`, ...reasons].join("\n"),
    evidence,
  };
}

function nameOf(adjacency: Adjacency): string {
  const protocol = PROTOCOL_NAMES[adjacency.protocol];
  const ends =
    adjacency.protocol === "bgp" || adjacency.protocol === "bfd"
      ? sessionEnds(adjacency.ends)
      : (adjacency.ends as readonly Ported[]).map(({ router, port }) => `${router.node} ${port.name}`);
  return `${protocol} ${ends.join(" -- ")}`;
}

type Ported = Pick<Extract<Adjacency, { protocol: "isis" }>["ends"][0], "router" | "port">;

/** Each end by its address, which the other end names, or by its interface. */
const sessionEnds = ([one, other]: readonly [SessionEnd, SessionEnd]): readonly string[] =>
  [[one, other] as const, [other, one] as const].map(
    ([end, peer]) =>
      `${end.router.node} ${peer.rule.isByPort ? end.rule.name : peer.rule.name}${end.rule.vrf === undefined ? "" : ` (VRF ${end.rule.vrf})`}`,
  );

const undecided = (limit: string): Verdict => ({
  name: "neighbours of routers",
  kind: "neighbours",
  status: "undecided",
  expected: "a run that ends",
  got: `the run reached its limit of ${limit}`,
  place: undefined,
  evidence: { packets: [], death: undefined },
});
