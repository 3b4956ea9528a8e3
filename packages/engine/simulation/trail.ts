/** The switches and hubs that have forwarded a frame: a frame that returns to one of them is in a loop. */
import type { Receiver } from "./link-line.ts";

export interface Trail {
  /** The latest of them. */
  readonly node: Pick<Receiver, "name">;
  readonly before: Trail | undefined;
  /** Names of the nodes of the loop, in forwarding order; undefined while the frame has passed each node at most once. */
  readonly loop: readonly string[] | undefined;
}

/** Returns the trail of a frame that `node` forwards. The trail of a frame in a loop does not grow further. */
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
