/**
 * Reads files of nodes at the end of a lab, in a run of its own that begins with the state of the end. So the timeline has the same bytes with
 * and without it.
 */
import { NS_PER_US } from "@wirelab/engine/base/time";
import type { ReadFile } from "@wirelab/engine/devices/device";
import type { Action } from "@wirelab/engine/simulation/actions";
import type { LabModel, WantedFile } from "../model/lab-model.ts";
import type { Played } from "./play.ts";
import { runStage } from "./run-stage.ts";

export const MAX_FILE_BYTES = 1_048_576;
/** A guest that is too busy to answer for this long has no files to give. */
const MAX_LAB_SECONDS = 60;

/** A file that a node was asked for, and what it answered. */
export interface AskedFile extends WantedFile {
  readonly node: string;
  readonly answer: Answer;
}

export type Answer =
  | ReadFile
  | { readonly kind: "off"; readonly why: string }
  /** The run has ended at a limit before the node has answered. */
  | { readonly kind: "unanswered"; readonly limit: string };

export const collectsFiles = ({ nodes }: LabModel): boolean =>
  nodes.some(({ collect = [] }) => collect.length > 0);

/** @returns the files of all nodes in the order of the lab file. */
export function collectFiles(played: Played): readonly AskedFile[] {
  const { model, timeline } = played;
  const wanted = model.nodes.flatMap(({ name, collect = [] }) =>
    collect.map((file) => ({ ...file, node: name, off: whyOff(timeline.nodes.get(name)) })),
  );
  const asked = wanted.filter(({ off }) => off === undefined);
  const { answers, limit } =
    asked.length === 0 ? { answers: new Map<string, ReadFile>(), limit: "" } : read(played, asked);
  return wanted.map(({ off, ...file }) => ({
    ...file,
    answer:
      off === undefined
        ? (answers.get(keyOf(file)) ?? { kind: "unanswered", limit })
        : { kind: "off", why: off },
  }));
}

type Node = Played["timeline"]["nodes"] extends ReadonlyMap<string, infer N> ? N : never;

/** @returns why a node has no files at the end, or undefined. */
function whyOff(node: Node | undefined): string | undefined {
  if (node === undefined || node.status === "stopped") return "is off at the end";
  if (node.status === "suspended") return "is suspended at the end";
  return node.device?.isStarting ? "has not run the commands of its start by the end" : undefined;
}

interface Asked {
  readonly node: string;
  readonly path: string;
}

const keyOf = ({ node, path }: Asked): string => `${node} ${path}`;

function read(
  { model, seed, timelineUs, endNs, isOutOfTime, stateAt }: Played,
  asked: readonly Asked[],
): { readonly answers: ReadonlyMap<string, ReadFile>; readonly limit: string } {
  const answers = new Map<string, ReadFile>();
  const stage = runStage({
    model: { ...model, limits: { ...model.limits, labSeconds: MAX_LAB_SECONDS } },
    seed,
    state: stateAt(undefined),
    startUs: timelineUs + Math.ceil(endNs / NS_PER_US),
    isOver: () => answers.size === asked.length,
    isOutOfTime,
    schedule(simulation) {
      for (const each of asked)
        simulation.schedule(
          0,
          readFile(each, (file) => void answers.set(keyOf(each), file)),
        );
    },
  });
  return { answers, limit: stage.stopped?.limit ?? stage.stopped?.reason ?? "" };
}

const readFile = ({ node: id, path }: Asked, call: (file: ReadFile) => void): Action => ({
  kind: "other",
  nodes: [id],
  links: [],
  perform: ({ node }) => node(id).device?.readFile?.(path, MAX_FILE_BYTES, call),
});
