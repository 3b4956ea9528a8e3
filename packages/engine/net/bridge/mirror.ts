/** A mirror port: copies of what other ports receive and send, all frames of protocols between switches included. */

import type { World } from "../../base/world.ts";
import { anyOf, type ValueOf } from "../../settings/kind.ts";
import { type Rules, required } from "../../settings/shape.ts";
import { record } from "../../settings/words.ts";
import { byPort, port, type SwitchShape } from "./settings/kinds.ts";

const MIRROR = {
  destination: required(port, { about: "the port that sends the copies, and nothing else" }),
  sources: required(byPort(anyOf("rx", "tx", "both")), { about: "by port number: which frames are copied" }),
} as const;

const checkSources: Rules<typeof MIRROR, SwitchShape> = ({ destination, sources }, reader, path) => {
  if (destination == null || !sources) return;
  if (sources[destination] !== undefined)
    reader.add([...path, "sources", destination], "is the destination, which cannot be a source");
  else if (Object.keys(sources).length === 0 && reader.problems.length === 0)
    reader.add([...path, "sources"], "must have a port");
};

export const mirror = record<SwitchShape, typeof MIRROR>(MIRROR, checkSources);
export type Mirror = ValueOf<typeof mirror>;
export type MirrorDirection = Mirror["sources"][number];

/** Whether the mirror copies what a port receives (`rx`) or sends (`tx`). */
export const copies = ({ sources }: Mirror, port: number, direction: "rx" | "tx"): boolean =>
  sources[port] === direction || sources[port] === "both";

/** A world that copies what the sources send. */
export function mirroredWorld(world: World, mirror: Mirror): World {
  const send: World["send"] = (port, frame) => {
    world.send(port, frame);
    if (copies(mirror, port, "tx")) world.send(mirror.destination, frame);
  };
  return Object.create(world, { send: { value: send } }) as World;
}
