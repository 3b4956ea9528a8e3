/** Starts, stops and suspends nodes. */
import { signal } from "@preact/signals";
import { ApiProblem, call } from "../api/call.ts";
import type { Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { kindOfNode } from "../lab/node-kind.ts";
import { notify } from "../ui/notices.tsx";

export type PowerAction = "start" | "stop" | "suspend" | "reload";

/** What a request switches within the time that a gateway waits. Smaller labs are switched at one moment of lab time, by one request. */
const BATCH = 100;

const OUTCOME = { start: "started", stop: "stopped", suspend: "suspended", reload: "started" } as const;

/** The batches of an action, while it lasts. */
export interface Progress {
  readonly action: PowerAction;
  readonly done: number;
  readonly total: number;
  readonly isCancelled: boolean;
}

export const progress = signal<Progress | null>(null);

/** The batch that is under way is finished: the service commits it even if the page does not wait. */
export function cancelBatches(): void {
  if (progress.value) progress.value = { ...progress.value, isCancelled: true };
}

/** The service leaves the other nodes as they are. */
function isSwitched(node: Node, action: PowerAction): boolean {
  const kind = kindOfNode(node);
  if (kind?.isRecord) return false;
  if (action === "reload") return true;
  const staysOn = action !== "start" && kind?.startsWhenCreated;
  return !staysOn && node.status !== OUTCOME[action] && !(action === "suspend" && node.status === "stopped");
}

/**
 * Switches all nodes, in batches if the lab is large. What was switched stays when the user cancels, or the service refuses.
 * @throws ApiProblem the first refusal. A batch that the service refuses for one of its nodes does not keep the others from being tried.
 */
export async function setPowerOfAll(
  lab: Pick<Lab, "path" | "nodes" | "read">,
  action: PowerAction,
): Promise<void> {
  if (progress.value !== null) return;
  const ids = [...lab.nodes.value.values()]
    .filter((node) => isSwitched(node, action))
    .map(({ node_id }) => node_id);
  const address = `${lab.path}/nodes/${action}`;
  if (ids.length <= BATCH) {
    await call("POST", address, { body: {} });
    return lab.read();
  }
  const errors: unknown[] = [];
  progress.value = { action, done: 0, total: ids.length, isCancelled: false };
  try {
    while (progress.value.done < ids.length && !progress.value.isCancelled) {
      const nodes = ids.slice(progress.value.done, progress.value.done + BATCH);
      const there = nodes.filter((id) => lab.nodes.value.has(id));
      if (there.length > 0)
        await call("POST", address, { body: { nodes: there } }).catch((error: unknown) => {
          errors.push(error);
          if (!isAboutNodes(error)) cancelBatches();
        });
      progress.value = { ...progress.value, done: progress.value.done + nodes.length };
    }
    await lab.read();
  } finally {
    progress.value = null;
  }
  const switched = ids.filter((id) => lab.nodes.value.get(id)?.status === OUTCOME[action]).length;
  notify(
    `${switched.toLocaleString("en")} of ${ids.length.toLocaleString("en")} devices were ${PAST[action]}.`,
  );
  if (errors.length > 0) throw errors[0];
}

const PAST = { ...OUTCOME, reload: "reloaded" } as const;

const isAboutNodes = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 409 || error.status === 404);
