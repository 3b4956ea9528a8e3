/** Actions that can be scheduled at a time in a run. */
import type { ConsoleSession } from "./console-session.ts";
import type { LinkChange, SimLink } from "./sim-link.ts";
import type { PowerAction, SimNode } from "./sim-node.ts";

/** The parts of a run that an action can use. */
export interface ActionContext {
  now(): number;
  node(id: string): SimNode;
  link(id: string): SimLink;
  /** Sends a frame out of a node's port into its link. */
  inject(node: SimNode, port: number, frame: Uint8Array): void;
  later(atNs: number, action: Action): void;
  /** Reports the carriers of a node's links to it, as far as they are loaded. */
  reportCarriers(node: SimNode): void;
  /** Plans what a link's impairments do next. */
  wake(link: SimLink): void;
  /** Calls back at the same time, in a separate event. */
  soon(call: () => void): void;
}

interface Needs {
  /** Nodes and links that must be loaded before the action is performed. */
  readonly nodes: readonly string[];
  readonly links: readonly string[];
}

export type Action = Needs & { perform(context: ActionContext): void } & (
    | { readonly kind: "other" }
    | { readonly kind: "console"; readonly session: ConsoleSession }
  );

/**
 * Types commands into a node's console, after any session that is running there. The transcript is empty if the node is off at
 * that time or has no console.
 */
export const typeCommands = (session: ConsoleSession): Action => ({
  kind: "console",
  session,
  nodes: [session.nodeId],
  links: [],
  perform({ node, now, soon }) {
    const target = node(session.nodeId);
    begin(session, target, now, soon);
  },
});

function begin(
  session: ConsoleSession,
  target: SimNode,
  now: () => number,
  soon: (call: () => void) => void,
): void {
  const before = target.session;
  if (before?.status === "running") {
    before.whenDone(() => soon(() => begin(session, target, now, soon)));
    return;
  }
  const terminal = target.status === "started" ? target.device?.console : undefined;
  if (terminal === undefined) {
    session.interrupt(now(), "off");
    return;
  }
  target.session = session;
  session.begin(terminal, now, soon);
}

export const switchPower = (nodeIds: readonly string[], action: PowerAction): Action => ({
  kind: "other",
  nodes: nodeIds,
  links: [],
  perform({ node, now, reportCarriers }) {
    for (const id of nodeIds) {
      const target = node(id);
      if (action !== "start") target.session?.interrupt(now(), "off");
      target.power(action);
      reportCarriers(target);
    }
  },
});

export const changeLink = (linkId: string, change: LinkChange): Action => ({
  kind: "other",
  nodes: [],
  links: [linkId],
  perform({ link, wake }) {
    const changed = link(linkId);
    changed.change(change);
    wake(changed);
  },
});

/** A frame to send, `offsetNs` after the first. */
export interface PlannedFrame {
  readonly offsetNs: number;
  readonly data: Uint8Array;
}

/** Sends frames out of a port, each at its own offset from now; the device behind the port does not see them. */
export const sendFrames = (nodeId: string, port: number, frames: readonly PlannedFrame[]): Action =>
  sendFrom(nodeId, port, frames, 0, undefined);

function sendFrom(
  nodeId: string,
  port: number,
  frames: readonly PlannedFrame[],
  index: number,
  startNs: number | undefined,
): Action {
  return {
    kind: "other",
    nodes: [nodeId],
    links: [],
    perform({ node, now, inject, later }) {
      const beginNs = startNs ?? now();
      let next = index;
      while (next < frames.length && beginNs + frames[next]!.offsetNs <= now()) {
        inject(node(nodeId), port, frames[next]!.data);
        next += 1;
      }
      if (next < frames.length) {
        later(beginNs + frames[next]!.offsetNs, sendFrom(nodeId, port, frames, next, beginNs));
      }
    },
  };
}
