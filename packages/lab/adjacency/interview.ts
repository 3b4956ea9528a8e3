/**
 * Asks the routers of a lab at its end: first for their ports, then for their neighbours, again and again until all adjacencies are up or
 * the time is over, and at last for the settings of those that are not. It is a run of its own, so that the timeline has the same bytes.
 */
import { NS_PER_SECOND, NS_PER_US } from "@wirelab/engine/base/time";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { parseIpPorts } from "../guest-state/ip.ts";
import type { Played } from "../play/play.ts";
import { DEFAULT_LIMITS, runStage } from "../play/run-stage.ts";
import { compare, type NeighboursOf } from "./compare.ts";
import { type Adjacency, type Found, findAdjacencies, type Router } from "./find-adjacencies.ts";
import { readFrrConfig } from "./frr-config.ts";
import {
  type Answers,
  neighboursIn,
  type Protocol,
  type Question,
  questionsAbout,
  questionsAboutSettings,
  readAnswers,
  scriptOf,
  settingsIn,
} from "./questions.ts";
import type { SettingsOf } from "./reasons.ts";
import type { RouterConfig } from "./router-config.ts";
import { findSegments, isDisturbed } from "./segments.ts";
import type { Source } from "./sources.ts";
import { vrfsOf } from "./vrfs.ts";

/**
 * Lab time after the end. A daemon of BGP tries again after 120 s (ConnectRetryTimer, RFC 4271 10), OSPF elects a designated router
 * after 40 s.
 */
export const WAIT_SECONDS = 150;
/** Lab seconds between two questions, of which each takes a guest some processor time: a third more each time. */
const FIRST_PAUSE_SECONDS = 3;
/** A guest answers in less than a second unless it is overloaded. */
const MORE_SECONDS = 60;
/** A guest that waits makes some 60 events a second. */
const MAX_EVENTS = 50_000_000;

export interface Interview {
  readonly found: Found;
  readonly neighbours: NeighboursOf;
  readonly settings: SettingsOf;
  /** Those that were not up when they were asked last. */
  readonly pending: readonly Adjacency[];
  /** The limit at which the run ended before all was known. */
  readonly limit: string | undefined;
}

export function interview(played: Played, sources: readonly Source[]): Interview {
  const { model, seed, timelineUs, endNs, isOutOfTime } = played;
  const state = played.stateAt(undefined);
  const disturbed = model.links.filter(({ name }) => isDisturbed(name, state)).map(({ name }) => name);
  const isWhole =
    disturbed.length === 0 &&
    [...state.links.values()].every(({ isDown }) => !isDown) &&
    [...state.nodes.values()].every(({ status }) => status === "started");
  const interviewer = new Interviewer(sources, (routers) =>
    findAdjacencies(routers, findSegments(model, state), isWhole),
  );
  const labSeconds = WAIT_SECONDS + MORE_SECONDS;
  const stage = runStage({
    model: { ...model, limits: { ...DEFAULT_LIMITS, events: MAX_EVENTS, ...model.limits, labSeconds } },
    seed,
    state,
    startUs: timelineUs + Math.ceil(endNs / NS_PER_US),
    isOver: () => interviewer.isOver,
    isOutOfTime,
    schedule: (simulation) => interviewer.begin(simulation),
  });
  played.probes.push(stage.digest);
  const remarks = disturbed.map(
    (name) => `${name}: its filters or impairments may lose packets of neighbours`,
  );
  const found = {
    ...interviewer.found,
    unchecked: [...remarks, ...interviewer.found.unchecked],
  };
  const limit = interviewer.isOver ? undefined : (stage.stopped?.limit ?? stage.stopped?.reason ?? "");
  return { ...interviewer, found, limit };
}

const hasVrfs = (config: RouterConfig): boolean => vrfsOf(config).size > 0;

class Interviewer {
  readonly #sources: readonly Source[];
  readonly #find: (routers: readonly Router[]) => Found;
  #simulation: Simulation | undefined;
  #routers: readonly Router[] = [];
  #pauseSeconds = FIRST_PAUSE_SECONDS;
  found: Found = { adjacencies: [], unchecked: [] };
  neighbours = new Map<string, ReturnType<typeof neighboursIn>>();
  settings = new Map<string, ReturnType<typeof settingsIn>>();
  pending: readonly Adjacency[] = [];
  isOver = false;

  constructor(sources: readonly Source[], find: (routers: readonly Router[]) => Found) {
    this.#sources = sources;
    this.#find = find;
  }

  begin(simulation: Simulation): void {
    this.#simulation = simulation;
    const questions = this.#sources.map((source) => ({
      node: source.node,
      questions: firstQuestions(source),
    }));
    this.#ask(questions, (answers) => {
      this.#routers = this.#sources.map((source) => toRouter(source, answers.get(source.node) ?? new Map()));
      const found = this.#find(this.#routers);
      const odd = this.#routers.filter(({ ports }) => ports.length === 0);
      const remarks = odd.map(({ node }) => `${node}: the reader does not understand what ip prints there`);
      this.found = { ...found, unchecked: [...remarks, ...found.unchecked] };
      this.pending = this.found.adjacencies;
      this.#look();
    });
  }

  #look(): void {
    if (this.pending.length === 0) {
      this.isOver = true;
      return;
    }
    const protocols = this.#protocolsOfPending();
    const questions = [...protocols].map(([{ node, daemon, config }, asked]) => ({
      node,
      questions: questionsAbout(daemon, asked, hasVrfs(config)),
    }));
    this.#ask(questions, (answers) => {
      for (const [{ node, daemon }] of protocols)
        this.neighbours.set(node, neighboursIn(daemon, answers.get(node) ?? new Map()));
      this.pending = this.pending.filter((adjacency) => !compare(adjacency, this.neighbours).isUp);
      const nowSeconds = this.#now / NS_PER_SECOND;
      if (this.pending.length === 0) this.isOver = true;
      else if (nowSeconds >= WAIT_SECONDS) this.#lookAtSettings();
      else {
        const atSeconds = Math.min(nowSeconds + this.#pauseSeconds, WAIT_SECONDS);
        this.#pauseSeconds *= 4 / 3;
        this.#at(Math.ceil(atSeconds * NS_PER_SECOND), () => this.#look());
      }
    });
  }

  #lookAtSettings(): void {
    const protocols = this.#protocolsOfPending();
    const questions = [...protocols].map(([{ node, daemon, config }, asked]) => ({
      node,
      questions: questionsAboutSettings(daemon, asked, hasVrfs(config)),
    }));
    this.#ask(questions, (answers) => {
      for (const [{ node, daemon }] of protocols)
        this.settings.set(node, settingsIn(daemon, answers.get(node) ?? new Map()));
      this.isOver = true;
    });
  }

  /** The routers at the ends of what is pending, with the protocols to ask about. */
  #protocolsOfPending(): ReadonlyMap<Router, ReadonlySet<Protocol>> {
    const protocols = new Map<Router, Set<Protocol>>();
    for (const { protocol, ends } of this.pending)
      for (const { router } of ends)
        protocols.set(router, (protocols.get(router) ?? new Set<Protocol>()).add(protocol));
    return protocols;
  }

  get #now(): number {
    return this.#simulation?.nowNs ?? 0;
  }

  #at(atNs: number, call: () => void): void {
    this.#simulation?.schedule(atNs, { kind: "other", nodes: [], links: [], perform: call });
  }

  /** Asks all nodes at one moment, and calls back when all have answered. */
  #ask(
    asked: readonly { readonly node: string; readonly questions: readonly Question[] }[],
    call: (answers: ReadonlyMap<string, Answers>) => void,
  ): void {
    const answers = new Map<string, Answers>();
    if (asked.length === 0) call(answers);
    for (const { node: id, questions } of asked)
      this.#simulation?.schedule(this.#now, {
        kind: "other",
        nodes: [id],
        links: [],
        perform: ({ node }) =>
          node(id).device?.runScript?.(scriptOf(questions), ({ output }) => {
            answers.set(id, readAnswers(output));
            if (answers.size === asked.length) call(answers);
          }),
      });
  }
}

function firstQuestions({ daemon, config }: Source): readonly Question[] {
  const hasOspf6 = config?.ospf.some(({ version }) => version === 3) ?? true;
  const id = daemon === "frr" ? "frr ospf6 id" : "bird status";
  return [
    "ip",
    ...(config === undefined ? (["running"] as const) : []),
    ...(hasOspf6 ? ([id] as const) : []),
  ];
}

function toRouter({ node, daemon, config }: Source, answers: Answers): Router {
  const settings = settingsIn(daemon, answers);
  return {
    node,
    daemon,
    config: config ?? readFrrConfig(answers.get("running") ?? "", "running configuration"),
    ports: parseIpPorts(answers.get("ip") ?? "") ?? [],
    routerId6: settings.routerId6,
  };
}
