/** A mirror port: copies of what other ports receive and send, all frames of protocols between switches included. */
import type { World } from "../device.ts";

export type MirrorDirection = "rx" | "tx" | "both";

export interface Mirror {
  /** The port that sends the copies, and nothing else. */
  readonly destination: number;
  /** By port number. */
  readonly sources: Readonly<Record<number, MirrorDirection>>;
}

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
