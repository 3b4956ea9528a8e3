/** Asks Linux nodes at a moment of the timeline, in a run of its own that begins with a copy of the moment. */
import { NS_PER_US } from "@wirelab/engine/base/time";
import type { Played } from "../play/play.ts";
import { runStage } from "../play/run-stage.ts";
import { type Answers, type Question, readAnswers, scriptOf } from "./questions.ts";

export interface Asked {
  readonly node: string;
  readonly questions: readonly Question[];
}

/** A guest answers in less than a second unless it is overloaded. */
const MAX_LAB_SECONDS = 60;

/** @returns the answers by node; a node that is off, or has not answered in time, has none. */
export function askGuests(
  played: Played,
  atNs: number | undefined,
  asked: readonly Asked[],
): ReadonlyMap<string, Answers> {
  const answers = new Map<string, Answers>();
  const { model, seed, timelineUs, endNs, isOutOfTime } = played;
  const state = played.stateAt(atNs);
  const awake = asked.filter(({ node }) => state.nodes.get(node)?.status === "started");
  if (awake.length === 0) return answers;
  const stage = runStage({
    model: { ...model, limits: { ...model.limits, labSeconds: MAX_LAB_SECONDS } },
    seed,
    state,
    startUs: timelineUs + Math.ceil((atNs ?? endNs) / NS_PER_US),
    isOver: () => answers.size === awake.length,
    isOutOfTime,
    schedule(simulation) {
      for (const { node: id, questions } of awake)
        simulation.schedule(0, {
          kind: "other",
          nodes: [id],
          links: [],
          perform: ({ node }) =>
            node(id).device?.runScript?.(scriptOf(questions), ({ output }) => {
              answers.set(id, readAnswers(output));
            }),
        });
    },
  });
  played.probes.push(stage.digest);
  return answers;
}
