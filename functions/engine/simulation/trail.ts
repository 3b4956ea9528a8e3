/** Which switches and hubs have passed a frame on: a frame that comes back to one of them goes round in a loop. */
import type { Receiver } from "./link-line.ts";

export interface Trail {
  /** The latest of them. */
  readonly node: Pick<Receiver, "name">;
  readonly before: Trail | undefined;
  /** Names of the nodes that the frame has gone round, in its order; undefined as long as it has met each once. */
  readonly loop: readonly string[] | undefined;
}

/** The trail of what `node` sends when it passes a frame on. That of a frame in a loop grows no more. */
export function extendTrail(trail: Trail | undefined, node: Trail["node"]): Trail {
  if (trail?.loop !== undefined) return trail;
  return { node, before: trail, loop: loopTo(node, trail) };
}

function loopTo(node: Trail["node"], trail: Trail | undefined): string[] | undefined {
  const names: string[] = [];
  for (let step = trail; step !== undefined; step = step.before) {
    names.push(step.node.name);
    if (step.node === node) return names.reverse();
  }
  return undefined;
}
