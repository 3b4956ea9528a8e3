/** Actions that can be scheduled at a time in a run. */
import type { ConsoleSession, Soon } from "./console-session.ts";
import type { LinkLine } from "./link-line.ts";
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
  reportCarrier(link: SimLink): void;
  restoreLine(line: LinkLine): void;
  readonly soon: Soon;
}

interface Needs {
  /** Nodes and links that must be loaded before the action is performed. */
  readonly nodes: readonly string[];
  readonly links: readonly string[];
}

/** What is done, as data; only `other` is a function, which a saved run cannot have. */
export type Action = Needs &
  (
    | { readonly kind: "console"; readonly session: ConsoleSession }
    | { readonly kind: "power"; readonly action: PowerAction }
    | { readonly kind: "link"; readonly change: LinkChange }
    | {
        readonly kind: "frames";
        readonly port: number;
        readonly frames: readonly PlannedFrame[];
        readonly index: number;
        /** When the first is sent; undefined before. */
        readonly startNs: number | undefined;
      }
    /** Reports the carrier of the link to the devices at its ends, now and whenever it changes. */
    | { readonly kind: "carrier" }
    /** Goes on with the packets that were on the line at the end of the run before. */
    | { readonly kind: "restore"; readonly line: LinkLine }
    | {
        readonly kind: "other";
        perform(context: ActionContext): void;
        /** It only looks at the lab: a saved run leaves it out. */
        readonly isOnlooker?: true;
      }
  );

export function perform(action: Action, context: ActionContext): void {
  const { node, link, now } = context;
  switch (action.kind) {
    case "console":
      beginSession(action.session, context);
      break;
    case "power":
      for (const id of action.nodes) {
        const target = node(id);
        if (action.action !== "start") target.session?.interrupt(now(), "off");
        target.power(action.action);
        context.reportCarriers(target);
      }
      break;
    case "link": {
      const changed = link(action.links[0]!);
      changed.change(action.change);
      context.wake(changed);
      break;
    }
    case "frames":
      sendDue(action, context);
      break;
    case "carrier":
      context.reportCarrier(link(action.links[0]!));
      break;
    case "restore":
      context.restoreLine(action.line);
      break;
    case "other":
      action.perform(context);
  }
}

/**
 * Types commands into a node's console, after any session that is running there. The transcript is empty if the node is off at
 * that time or has no console.
 */
export const typeCommands = (session: ConsoleSession): Action => ({
  kind: "console",
  session,
  nodes: [session.nodeId],
  links: [],
});

export function beginSession(
  session: ConsoleSession,
  { node, now, soon }: Pick<ActionContext, "node" | "now" | "soon">,
): void {
  const target = node(session.nodeId);
  const before = target.session;
  if (before?.status === "running") {
    before.beginAfter(session, soon);
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
  kind: "power",
  action,
  nodes: nodeIds,
  links: [],
});

export const changeLink = (linkId: string, change: LinkChange): Action => ({
  kind: "link",
  change,
  nodes: [],
  links: [linkId],
});

/** A frame to send, `offsetNs` after the first. */
export interface PlannedFrame {
  readonly offsetNs: number;
  readonly data: Uint8Array;
}

/** Sends frames out of a port, each at its own offset from now; the device behind the port does not see them. */
export const sendFrames = (nodeId: string, port: number, frames: readonly PlannedFrame[]): Action => ({
  kind: "frames",
  nodes: [nodeId],
  links: [],
  port,
  frames,
  index: 0,
  startNs: undefined,
});

function sendDue(
  action: Extract<Action, { readonly kind: "frames" }>,
  { node, now, inject, later }: ActionContext,
): void {
  const { port, frames } = action;
  const startNs = action.startNs ?? now();
  let next = action.index;
  while (next < frames.length && startNs + frames[next]!.offsetNs <= now()) {
    inject(node(action.nodes[0]!), port, frames[next]!.data);
    next += 1;
  }
  if (next < frames.length) later(startNs + frames[next]!.offsetNs, { ...action, index: next, startNs });
}
