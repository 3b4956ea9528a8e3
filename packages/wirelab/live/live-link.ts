/** `wirelab link --live`: a link between two real networks. */
import { DEFAULT_QUIET } from "@wirelab/engine/simulation/quiet";
import type { LabModel, NodeModel } from "@wirelab/lab/model/lab-model";
import { parseOutside } from "@wirelab/lab/read/read-outside";
import { CommandLineError, type Surroundings } from "../command-line.ts";
import { type LiveOptions, runLive } from "./run-live.ts";

type Link = LabModel["links"][number];

export interface LiveLink {
  /** Texts as `parseOutside` reads them. */
  readonly ends: readonly [string, string];
  readonly filters: Link["filters"];
  readonly impairments: Link["impairments"];
  readonly suspended: boolean;
}

/** @throws CommandLineError for an end that is not one. @throws DataError like `runLive`. */
export async function runLiveLink(
  { ends: [a, b], filters, impairments, suspended }: LiveLink,
  options: LiveOptions,
  surroundings: Surroundings,
): Promise<void> {
  const model: LabModel = {
    name: "link",
    seed: options.seed,
    startUs: 0,
    nodes: [cloud("a", a), cloud("b", b)],
    links: [
      {
        name: "link",
        ends: [
          { node: "a", port: 0 },
          { node: "b", port: 0 },
        ],
        filters,
        impairments,
        isDown: suspended,
        place: undefined,
      },
    ],
    events: [],
    expectations: [],
    durationNs: undefined,
    limits: {},
    quiet: DEFAULT_QUIET,
  };
  await runLive(model, options, surroundings);
}

function cloud(name: string, text: string): NodeModel {
  try {
    const outside = parseOutside(text);
    return {
      name,
      spec: { type: "cloud", name },
      properties: {},
      ports: ["Ethernet0"],
      isStarted: true,
      addresses: [],
      outside,
      place: undefined,
    };
  } catch (error) {
    throw new CommandLineError(`${text}: ${(error as Error).message}`);
  }
}
