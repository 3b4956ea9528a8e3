/** `filter`, `budget`, `digest` and `loop`: figures of the whole run. */
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { type Comparison, holds } from "../model/comparison.ts";
import { digestOf, loopOf } from "../play/outcome.ts";
import type { Played } from "../play/play.ts";
import { type MakeCheck, type Outcome, passes } from "./check.ts";

type Figures<K extends string> = Readonly<Partial<Record<K, Comparison>>>;

function compare<K extends string>(measures: Figures<K>, figures: Readonly<Record<K, number>>): Outcome {
  const entries = Object.entries(measures) as [K, Comparison][];
  return {
    status: passes(entries.every(([key, comparison]) => holds(comparison, figures[key]))),
    expected: entries.map(([key, { text }]) => `${key} ${text}`).join(", "),
    got: entries.map(([key]) => `${key} ${figures[key]}`).join(", "),
  };
}

const linesOf = ({ links }: Simulation, name: string) => {
  const link = links.get(name)!;
  return [link.aToB, link.bToA].map((line) => line.report());
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export const filter: MakeCheck<"filter"> = ({ link, filter: type, measures }) => ({
  judge({ timeline }) {
    const counts = linesOf(timeline, link).flatMap(({ filters, impairments }) =>
      [...filters, ...(impairments?.counts ?? [])].filter((each) => each.type === type),
    );
    const figure = (key: "seen" | "dropped" | "corrupted") => sum(counts.map((each) => each[key]));
    return compare(measures, {
      seen: figure("seen"),
      dropped: figure("dropped"),
      corrupted: figure("corrupted"),
    });
  },
});

export const budget: MakeCheck<"budget"> = ({ link, measures }) => ({
  judge({ timeline }) {
    const names = link === undefined ? [...timeline.links.keys()] : [link];
    const reports = names.flatMap((name) => linesOf(timeline, name));
    return compare(measures, {
      events: timeline.events,
      packets: sum(reports.map(({ entered }) => entered.packets)),
      bytes: sum(reports.map(({ entered }) => entered.bytes)),
    });
  },
});

export const digest: MakeCheck<"digest"> = ({ value }) => ({
  judge(played: Played) {
    const got = digestOf(played);
    return { status: passes(got === value), expected: value, got };
  },
});

export const loop: MakeCheck<"loop"> = () => ({
  judge(played) {
    const names = loopOf(played);
    const limit = played.boot.stopped?.limit ?? played.timeline.stopped?.limit;
    if (names === undefined && limit !== undefined) {
      return {
        status: "undecided",
        expected: "a loop",
        got: `no loop before the run reached its limit of ${limit}`,
      };
    }
    return {
      status: passes(names !== undefined),
      expected: "packets in a loop",
      got: names === undefined ? "no loop" : `packets loop through ${names.join(", ")}`,
    };
  },
});
