/**
 * The virtual-time event loop: the only module that connects devices, links, filters and taps.
 *
 *     device -- send --> line: chain, tap "before" --> flight in the agenda --> line: tap "after" --> (processing) --> device
 *
 * The caller passes nodes and links on demand: `advance` runs until a node or link is missing, returns its id, and continues
 * from there once the caller has added it. The run does not depend on the order of adding: a frame at a missing link makes all
 * later frames wait, and no event is processed meanwhile.
 *
 * Events are ordered by (time, insertion). Equal labs, seeds and start times give equal runs, to the byte.
 */

import { FrameSlab } from "../base/frame-slab.ts";
import { MAX_RUN_NS, NS_PER_SECOND, NS_PER_US } from "../base/time.ts";
import { CannotSaveError, type Timer, type TimerKind } from "../devices/device.ts";
import type { CaptureTap } from "../link/capture-tap.ts";
import { type DelayCounter, DelayTally } from "../link/direction-report.ts";
import { type Action, type ActionContext, beginSession, perform } from "./actions.ts";
import { Agenda } from "./agenda.ts";
import type { ConsoleSession, FrozenSession } from "./console-session.ts";
import { Digest } from "./digest.ts";
import { Flight } from "./flight.ts";
import type { LabLink, LabNode, Wire } from "./lab.ts";
import type { LimitName, RunLimits } from "./limits.ts";
import type { LinkLine } from "./link-line.ts";
import type { Observer } from "./observer.ts";
import { type FrozenQuietWatch, type Quiet, QuietWatch } from "./quiet.ts";
import { RunBudget } from "./run-budget.ts";
import { type FrozenLink, type LinkRun, SimLink } from "./sim-link.ts";
import { type FrozenNode, SimNode, type Surroundings } from "./sim-node.ts";
import { type Foreground, type Task, TimerEvent, type TimerOwner } from "./timer-event.ts";
import { extendTrail, type Trail } from "./trail.ts";
import { Travel, type WireEvent } from "./travel.ts";

/** Ids of the nodes and links that the caller must add before the run can continue. */
export interface Missing {
  readonly nodes: readonly string[];
  readonly links: readonly string[];
}

/** Why a run ended: no events were left, its duration was over, or it reached a limit. */
export type StopReason = "idle" | "duration" | "limit";

export interface Stopped {
  readonly reason: StopReason;
  readonly limit?: LimitName;
}

export interface SimulationOptions {
  /** The lab's clock at the run's start: microseconds since 1970. */
  readonly startUs: number;
  readonly seed: string;
  readonly limits: RunLimits;
  /** Lab time since `startUs` at which the run begins. Default: 0. */
  readonly beginNs?: number;
  /** A run that was saved counts from here, not on from there: events, packets, output, sessions, and what is in the digest. */
  readonly countsAnew?: boolean;
  /** Duration of the run in lab time; without it, the run lasts until no events are left. */
  readonly durationNs?: number | undefined;
  /** How long a run without a duration waits for routing protocols; absent: not at all. */
  readonly quiet?: Quiet | undefined;
  /** Polled periodically; true ends the run with the limit `cpu_seconds`. */
  readonly isOutOfTime?: () => boolean;
  /** Polled periodically; true makes `advance` return before the run has ended. */
  readonly isPaused?: () => boolean;
  /** The number of events between two polls. Default: 1,024, for events that take microseconds. */
  readonly clockEvery?: number | undefined;
  /** Called before the run ends, while frames are still on their way: it can be saved then. */
  readonly ending?: (() => void) | undefined;
  /** Makes the tap of a link with an active capture. */
  readonly makeTap: (link: LabLink) => CaptureTap | undefined;
  readonly observer?: Observer | undefined;
  /** Makes the counter of each direction's delays; by default one that is exact and grows with the packets. */
  readonly makeDelays?: (() => DelayCounter) | undefined;
}

/** A run in its middle: a graph of plain objects and of instances that `saved-run.ts` has names for. */
export interface FrozenRun {
  readonly nowNs: number;
  readonly nodes: readonly { readonly id: string; readonly frozen: FrozenNode }[];
  readonly links: readonly FrozenLink[];
  readonly events: readonly (readonly [atNs: number, event: RunEvent])[];
  readonly sessions: readonly ConsoleSession[];
  readonly landing: Flight | undefined;
  readonly boarding: Flight | undefined;
  readonly arrived: Trail | undefined;
  readonly loopingPackets: number;
  readonly loop: readonly string[] | undefined;
  readonly budget: ReturnType<RunBudget["freeze"]>;
  readonly digest: ReturnType<Digest["freeze"]>;
  /** Absent in runs that were saved before there was one. */
  readonly quiet?: FrozenQuietWatch;
  /** Set for a run that has ended. */
  readonly stopped: Stopped | undefined;
}

interface ActionEvent {
  readonly kind: "action";
  readonly action: Action;
}

export type RunEvent = Flight | TimerEvent | ActionEvent | WireEvent;

/** A frame that waits until its link, or the node behind it, is added. */
interface HeldFrame {
  readonly node: SimNode;
  readonly port: number;
  readonly wire: Wire;
  readonly frame: Uint8Array;
  readonly trail: Trail | undefined;
}

/** The growth of the captures is summed up once per this many events. */
const EVENTS_BETWEEN_TAP_READS = 256;
/** A loop that carries fewer may have been open for a moment only. */
const PACKETS_OF_A_STORM = 2_000;

export class Simulation {
  readonly #options: SimulationOptions;
  readonly #agenda = new Agenda<RunEvent>();
  readonly #nodes = new Map<string, SimNode>();
  readonly #links = new Map<string, SimLink>();
  readonly #digest = new Digest();
  readonly #budget: RunBudget;
  readonly #sessions: ConsoleSession[] = [];
  readonly #surroundings: Surroundings;
  readonly #linkRun: LinkRun;
  readonly #travel: Travel;
  readonly #endNs: number;
  readonly #taps: CaptureTap[] = [];
  #held: HeldFrame[] = [];
  /** An action removed from the agenda whose nodes or links are missing. */
  #pendingAction: Action | undefined;
  /** The flight whose copies are arriving, until the last one has arrived. */
  #landing: Flight | undefined;
  /** The flight planned last, until another event is planned. */
  #boarding: Flight | undefined;
  /** The trail of the frames that the device currently handling a frame forwards. */
  #trail: Trail | undefined;
  /** The trail of the frame that a device is currently handling. */
  #arrived: Trail | undefined;
  /** The frame that a device is currently handling. */
  #handled: Uint8Array | undefined;
  /** The number of packets in loops, and the loop of the last one. */
  #loopingPackets = 0;
  #loop: readonly string[] | undefined;
  readonly #foreground: Foreground = { count: 0 };
  readonly #quiet: QuietWatch;
  #stopped: Stopped | undefined;
  #endedNs: number | undefined;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#agenda.beginAt(options.beginNs ?? 0);
    this.#budget = new RunBudget(options.limits, options.isOutOfTime, options.clockEvery);
    this.#quiet = new QuietWatch(options.durationNs === undefined ? options.quiet : undefined);
    this.#surroundings = this.#makeSurroundings();
    this.#travel = this.#makeTravel();
    this.#linkRun = {
      seed: options.seed,
      startUs: options.startUs,
      nowNs: () => this.nowNs,
      sinkOf: (line) => this.#travel.sinkOf(line),
      makeDelays: options.makeDelays ?? (() => new DelayTally()),
    };
    this.#endNs = options.durationNs ?? Number.POSITIVE_INFINITY;
  }

  get seed(): string {
    return this.#options.seed;
  }

  /** The lab's clock at the run's start, microseconds since 1970. */
  get startUs(): number {
    return this.#options.startUs;
  }

  /** Lab time since the run's start. */
  get nowNs(): number {
    return this.#endedNs ?? this.#agenda.nowNs;
  }

  get nodes(): ReadonlyMap<string, SimNode> {
    return this.#nodes;
  }

  get links(): ReadonlyMap<string, SimLink> {
    return this.#links;
  }

  get sessions(): readonly ConsoleSession[] {
    return this.#sessions;
  }

  get events(): number {
    return this.#budget.events;
  }

  get packets(): number {
    return this.#budget.packets;
  }

  /** Why the run ended, once it has. */
  get stopped(): Stopped | undefined {
    return this.#stopped;
  }

  /** In words, why routing was not quiet when the run has stopped waiting for it; undefined if it was. */
  get unsettled(): string | undefined {
    const unsettled = this.#quiet.unsettled;
    if (unsettled === undefined || this.#stopped?.reason !== "idle") return undefined;
    const { last, limitNs } = unsettled;
    const seconds = (ns: number): string => String(Number((ns / NS_PER_SECOND).toFixed(3)));
    return `routing was not quiet after ${seconds(limitNs)} s: at ${seconds(last.atNs)} s, ${last.node}: ${last.what}`;
  }

  /** A fingerprint of all frames and all console text, in order. */
  get digest(): string {
    return this.#digest.toString();
  }

  /** Adds a node, unless it was added before. */
  addNode(node: LabNode): void {
    if (this.#nodes.has(node.id)) return;
    const added = new SimNode(node, this.#options.seed, this.#surroundings);
    this.#nodes.set(node.id, added);
    // The carrier may be back since the device saw it go.
    for (const port of added.device?.portsDown ?? []) {
      const linkId = node.wires.get(port)?.linkId;
      if (linkId !== undefined) this.schedule(this.nowNs, watchCarrier(linkId, [node.id]));
    }
    for (const { linkId } of node.wires.values())
      if (this.#links.get(linkId)?.suspended === true && added.seesSuspension)
        this.schedule(this.nowNs, watchCarrier(linkId, [node.id]));
  }

  addLink(link: LabLink): void {
    if (this.#links.has(link.id)) return;
    const tap = this.#options.makeTap(link);
    if (tap) this.#taps.push(tap);
    const added = new SimLink(link, this.#linkRun, tap);
    this.#links.set(link.id, added);
    for (const line of [added.aToB, added.bToA]) {
      if (line.impaired?.hasRestored) this.schedule(this.nowNs, this.#travel.restoring(line));
    }
    const nodeIds = link.ends.map(({ nodeId }) => nodeId);
    const isSeen = added.suspended && nodeIds.some((id) => this.#nodes.get(id)?.seesSuspension);
    if (added.losesCarrier || isSeen) {
      this.schedule(this.nowNs, watchCarrier(link.id, nodeIds));
    }
  }

  /** Schedules an action at `atNs` from the run's start. */
  schedule(atNs: number, action: Action): void {
    if (action.kind === "console") this.#sessions.push(action.session);
    this.#plan(atNs, { kind: "action", action });
    this.#foreground.count += 1;
  }

  /** The time of the next event; Infinity if there is none. */
  get nextNs(): number {
    return this.#landing?.atNs ?? this.#agenda.nextTimeNs;
  }

  /**
   * Continues the run. @param untilNs pauses before the first event after this time
   * @returns what is missing (nothing after a pause), or undefined if the run has ended.
   */
  advance(untilNs = Number.POSITIVE_INFINITY): Missing | undefined {
    while (this.#stopped === undefined) {
      if (this.#held.length > 0 || this.#pendingAction) {
        const missing = this.#settle();
        if (missing) return missing;
      }
      const isBefore = this.#step(untilNs);
      if (!isBefore || (this.#budget.isClockDue && this.#options.isPaused?.()))
        return { nodes: [], links: [] };
    }
    return undefined;
  }

  /**
   * Names of the switches and hubs of a forwarding loop, once it has carried some thousand packets, or most packets of a run that
   * reached a limit.
   */
  get loop(): readonly string[] | undefined {
    const isMost = this.#stopped?.reason === "limit" && this.#loopingPackets * 2 > this.packets;
    return isMost || this.#loopingPackets >= PACKETS_OF_A_STORM ? this.#loop : undefined;
  }

  /** Sends the held frames in order and performs the pending action, until a node or link is missing. */
  #settle(): Missing | undefined {
    const links = new Set<string>();
    const nodes = new Set<string>();
    if (this.#pendingAction) this.#miss(this.#pendingAction, links, nodes);
    if (this.#held.length > 0) this.#flush(links, nodes);
    if (links.size + nodes.size > 0) return { links: [...links], nodes: [...nodes] };
    if (this.#pendingAction) {
      const action = this.#pendingAction;
      this.#pendingAction = undefined;
      perform(action, this.#context);
      return this.#settle();
    }
    return undefined;
  }

  #flush(links: Set<string>, nodes: Set<string>): void {
    const held = this.#held;
    this.#held = [];
    for (const each of held) {
      const { linkId, peerId } = each.wire;
      if (!this.#links.has(linkId)) links.add(linkId);
      if (peerId !== undefined && !this.#nodes.has(peerId)) nodes.add(peerId);
      if (links.size + nodes.size > 0) this.#held.push(each);
      else {
        const line = this.#resolveLine(each);
        if (line) this.#transmit(line, each.frame, each.trail);
      }
    }
  }

  #miss({ nodes, links }: Action, missingLinks: Set<string>, missingNodes: Set<string>): void {
    for (const id of links) if (!this.#links.has(id)) missingLinks.add(id);
    for (const id of nodes) if (!this.#nodes.has(id)) missingNodes.add(id);
  }

  /** Processes one event, or ends the run. @returns false if the next event is after `untilNs`. */
  #step(untilNs: number): boolean {
    const landing = this.#landing;
    const nextNs = landing ? landing.atNs : this.#agenda.nextTimeNs;
    if (nextNs > untilNs && (!this.#isIdle(nextNs) || (this.#quiet.untilNs ?? 0) > untilNs)) return false;
    const stopped = this.#stopReason(nextNs);
    if (stopped) {
      this.#options.ending?.();
      this.#end(stopped, this.#endOf(stopped));
      return true;
    }
    this.#boarding = undefined;
    const event = landing ?? (this.#agenda.pop() as RunEvent);
    if (event.kind === "timer") event.fire(this.#budget);
    else {
      this.#foreground.count -= 1;
      if (event.kind === "flight") this.#land(event);
      else if (event.kind === "wire") this.#travel.happen(event);
      else {
        this.#budget.events += 1;
        this.#pendingAction = event.action;
        if (!isOnlooker(event.action)) this.#quiet.acted(this.#agenda.nowNs);
      }
    }
    return true;
  }

  /** Returns why the run ends before the event at `nextNs`, undefined if it continues. */
  #stopReason(nextNs: number): Stopped | undefined {
    if (nextNs > this.#endNs) return { reason: "duration" };
    if (this.#isIdle(nextNs)) return { reason: "idle" };
    if (this.#budget.events % EVENTS_BETWEEN_TAP_READS === 0)
      this.#budget.capturedBytes = this.#capturedBytes();
    const limit = this.#budget.exceeded(nextNs);
    return limit && { reason: "limit", limit };
  }

  /** Whether nothing is left that keeps the run going. */
  #isIdle(nextNs: number): boolean {
    const lasts = this.#options.durationNs !== undefined;
    if (nextNs === Number.POSITIVE_INFINITY) return true;
    return this.#foreground.count === 0 && !lasts && !(nextNs <= (this.#quiet.untilNs ?? -1));
  }

  #endOf({ reason }: Stopped): number {
    if (reason === "duration") return this.#endNs;
    return reason === "idle" ? Math.max(this.nowNs, this.#quiet.untilNs ?? 0) : this.nowNs;
  }

  #capturedBytes(): number {
    let bytes = 0;
    for (const tap of this.#taps) bytes += tap.bytes;
    return bytes;
  }

  /** Delivers the next copy of a flight. */
  #land(flight: Flight): void {
    const line = flight.next!;
    this.#budget.land(flight);
    flight.land();
    this.#landing = flight.next && flight;
    line.deliver(flight.frame, flight.frame.length, flight.delayNs, this.#agenda.nowNs - line.processingNs);
    this.#options.observer?.arrived?.({
      line,
      atNs: this.#agenda.nowNs - line.processingNs,
      frame: flight.frame,
      passed: flight.packet?.admitted ?? flight.frame,
    });
    const { target } = line;
    if (target === undefined) return;
    this.#arrived = flight.trail;
    if (target.forwards) this.#trail = extendTrail(flight.trail, target);
    this.#handled = flight.frame;
    target.receive(line.targetPort, flight.frame);
    this.#handled = undefined;
    this.#trail = undefined;
  }

  readonly #context: ActionContext = {
    now: () => this.nowNs,
    node: (id) => this.#nodes.get(id)!,
    link: (id) => this.#links.get(id)!,
    inject: (node, port, frame) => this.#send(node, port, frame),
    soon: (kind, session) => this.#plan(this.nowNs, this.#taskEvent({ kind, session }, this.#foreground)),
    reportCarrier: (link) => this.#travel.reportCarrier(link),
    restoreLine: (line) => this.#travel.restore(line),
    reportCarriers: (node) => {
      for (const { linkId } of node.wires.values()) {
        const link = this.#links.get(linkId);
        if (link?.losesCarrier || (link?.suspended && node.seesSuspension)) this.#travel.reportCarrier(link);
      }
    },
    wake: (link) => {
      this.#travel.wake(link.aToB);
      this.#travel.wake(link.bToA);
      this.#travel.reportCarrier(link);
    },
    later: (atNs, next) => {
      this.#plan(Math.max(atNs, this.nowNs), { kind: "action", action: next });
      this.#foreground.count += 1;
    },
  };

  #send(node: SimNode, port: number, frame: Uint8Array): void {
    if (this.#stopped) return;
    const line = node.lines[port];
    if (line !== undefined && this.#held.length === 0) {
      this.#transmit(line, frame, this.#trail);
      return;
    }
    const wire = node.wires.get(port);
    if (wire !== undefined) this.#held.push({ node, port, wire, frame, trail: this.#trail });
  }

  /** Sends the frame that a device is handling, on the trail of which it is then. */
  #forward(node: SimNode, port: number, frame: Uint8Array): void {
    this.#trail = extendTrail(this.#arrived, node);
    this.#send(node, port, frame);
    this.#trail = undefined;
  }

  /** Returns the line that begins at a port, undefined until its link and the node behind it are added. */
  #resolveLine({ node, port, wire }: HeldFrame): LinkLine | undefined {
    const line = this.#links.get(wire.linkId)?.lineFrom(node.id, port);
    if (line === undefined) return undefined;
    line.connect(line.peer && this.#nodes.get(line.peer.nodeId));
    node.lines[port] = line;
    return line;
  }

  #transmit(line: LinkLine, frame: Uint8Array, trail: Trail | undefined): void {
    if (line.impaired !== undefined && this.#refuses(line, frame)) return;
    if (trail?.loop) {
      this.#loopingPackets += 1;
      this.#loop = trail.loop;
    }
    const isBroadcastCopy = trail !== undefined && !trail.loop && isToGroup(frame);
    this.#budget.send(isBroadcastCopy);
    const passed = line.enter(frame, this.nowNs, this.#digest);
    this.#options.observer?.entered?.({
      line,
      atNs: this.nowNs,
      frame,
      droppedBy: passed ? undefined : line.droppedBy,
      passed: passed?.data ?? frame,
      delayNs: passed?.delayNs ?? 0,
    });
    if (line.impaired !== undefined) {
      this.#travel.begin(line, trail, isBroadcastCopy);
      return;
    }
    if (passed === undefined) return;
    const { data, delayNs } = passed;
    const handledNs = this.nowNs + delayNs + line.processingNs;
    if (handledNs > MAX_RUN_NS) return;
    this.#foreground.count += 1;
    const joins = this.#boarding?.takes(data, handledNs, delayNs, trail) === true;
    this.#budget.board(data, !joins);
    if (joins) this.#boarding!.add(line);
    else {
      const flight = new Flight(data, line, handledNs, delayNs, trail, isBroadcastCopy);
      this.#plan(handledNs, flight);
      this.#boarding = flight;
    }
  }

  /** Hands a frame over the link's MTU back to its sender, if that is a device that handles it. */
  #refuses(line: LinkLine, frame: Uint8Array): boolean {
    const { source } = line;
    const node = source && this.#nodes.get(source.nodeId);
    if (source === undefined || !node?.seesLinkMtu) return false;
    const mtuBytes = line.mtuExceededBy(frame, this.nowNs);
    if (mtuBytes === undefined) return false;
    // An event of its own: the device may be in the middle of sending.
    const task: Task = { kind: "refused", node, port: source.port, frame, mtuBytes };
    this.#plan(this.nowNs, this.#taskEvent(task, this.#foreground));
    return true;
  }

  /** Returns the run at this moment, without changing it. @throws CannotSaveError when a device, or what is planned, has no form as data. */
  freeze(): FrozenRun {
    if (this.#held.length > 0 || this.#pendingAction !== undefined)
      throw new CannotSaveError("the run waits for nodes or links that are not loaded");
    return {
      nowNs: this.nowNs,
      nodes: [...this.#nodes.values()].map((node) => ({ id: node.id, frozen: node.freeze() })),
      links: [...this.#links.values()].map((link) => link.freeze()),
      events: this.#agenda.entries().filter(([, event]) => !isLeftOut(event)),
      sessions: this.#sessions,
      landing: this.#landing,
      boarding: this.#boarding,
      arrived: this.#arrived,
      loopingPackets: this.#loopingPackets,
      loop: this.#loop,
      budget: this.#budget.freeze(),
      digest: this.#digest.freeze(),
      quiet: this.#quiet.freeze(),
      stopped: this.#stopped,
    };
  }

  /**
   * Continues a run that was frozen; the simulation has its nodes and links, and nothing else. Sessions and timers are those that the
   * data of nodes refer to.
   */
  thaw(frozen: FrozenRun, sessions: ReadonlyMap<ConsoleSession, FrozenSession>): void {
    this.#agenda.beginAt(frozen.nowNs);
    for (const [atNs, event] of frozen.events) {
      this.#agenda.push(atNs, event);
      if (event.kind !== "timer") this.#foreground.count += 1;
      else if (event.task !== undefined) {
        const { task } = event;
        event.resume(() => this.#do(task));
      }
    }
    for (const { id, frozen: node } of frozen.nodes) this.#nodes.get(id)!.thaw(node);
    for (const link of frozen.links) this.#links.get(link.link.id)!.thaw(link);
    for (const [session, data] of sessions) {
      const terminal = this.#nodes.get(session.nodeId)?.device?.console;
      session.thaw(data, terminal, this.#context.now, this.#context.soon);
    }
    const { countsAnew = false } = this.#options;
    this.#sessions.push(...frozen.sessions.filter(({ isOver }) => !(countsAnew && isOver)));
    this.#landing = frozen.landing;
    this.#boarding = frozen.boarding;
    this.#arrived = frozen.arrived;
    this.#loopingPackets = frozen.loopingPackets;
    this.#loop = frozen.loop;
    this.#budget.thaw(frozen.budget, countsAnew);
    if (!countsAnew) this.#digest.thaw(frozen.digest);
    if (frozen.quiet !== undefined) this.#quiet.thaw(frozen.quiet);
    this.#stopped = frozen.stopped;
    if (frozen.stopped !== undefined) this.#endedNs = frozen.nowNs;
  }

  /** Adds a node that continues in the middle of a run. */
  addFrozenNode(node: LabNode, frozen: Pick<FrozenNode, "status" | "random">): SimNode {
    const added = new SimNode(node, this.#options.seed, this.#surroundings, frozen);
    this.#nodes.set(node.id, added);
    return added;
  }

  addFrozenLink(link: LabLink): SimLink {
    const tap = this.#options.makeTap(link);
    if (tap) this.#taps.push(tap);
    const added = new SimLink(link, this.#linkRun, tap);
    this.#links.set(link.id, added);
    return added;
  }

  /** A timer of a run that was frozen; it does nothing until its owner resumes it. */
  makeFrozenTimer(
    isBackground: boolean,
    owner: TimerOwner | undefined,
    life: number,
    task: Task | undefined,
  ): TimerEvent {
    return new TimerEvent(undefined, isBackground ? undefined : this.#foreground, owner, task, life);
  }

  #plan(atNs: number, event: RunEvent): void {
    this.#boarding = undefined;
    this.#agenda.push(atNs, event);
  }

  /** Ends the run: frames that have arrived count as delivered, consoles are interrupted, no more frames are sent. */
  #end(stopped: Stopped, endNs: number): void {
    this.#endedNs = endNs;
    this.#stopped = stopped;
    for (const link of this.#links.values()) this.#travel.end(link, endNs);
    this.#deliver(this.#landing, endNs);
    for (let event = this.#agenda.pop(); event !== undefined; event = this.#agenda.pop()) {
      if (event.kind === "flight") this.#deliver(event, endNs);
      else if (event.kind === "wire" && event.packet)
        event.line.impaired?.keep(event.packet, "filter", event.atNs);
    }
    for (const session of this.#sessions) session.interrupt(endNs);
    for (const session of this.#sessions) this.#digest.addText(session.output);
  }

  /** Counts the copies that have arrived by `endNs` but that no device handles any more. */
  #deliver(flight: Flight | undefined, endNs: number): void {
    for (let line = flight?.next; flight && line; line = flight.next) {
      flight.land();
      const deliveryNs = flight.atNs - line.processingNs;
      if (deliveryNs > endNs) {
        if (flight.packet) line.impaired?.keep(flight.packet, "wire", deliveryNs);
        continue;
      }
      line.deliver(flight.frame, flight.frame.length, flight.delayNs, deliveryNs);
      this.#options.observer?.arrived?.({
        line,
        atNs: deliveryNs,
        frame: flight.frame,
        passed: flight.packet?.admitted ?? flight.frame,
      });
    }
  }

  #makeTravel(): Travel {
    return new Travel({
      nowNs: () => this.nowNs,
      node: (id) => this.#nodes.get(id),
      digest: this.#digest,
      budget: this.#budget,
      observer: this.#options.observer,
      planQuietly: (atNs, task) => this.#plan(Math.max(atNs, this.nowNs), this.#taskEvent(task, undefined)),
      plan: (atNs, event) => {
        this.#plan(atNs, event);
        this.#foreground.count += 1;
      },
    });
  }

  #makeSurroundings(): Surroundings {
    const simulation = this;
    const { startUs } = this.#options;
    return {
      get nowUs() {
        return startUs + Math.floor(simulation.nowNs / NS_PER_US);
      },
      frames: new FrameSlab(),
      send: (node, port, frame) => simulation.#send(node, port, frame),
      forward: (node, port, frame) => simulation.#forward(node, port, frame),
      after: (node, delayUs, call, kind) => simulation.#after(node, delayUs, call, kind),
      discard(node, reason) {
        const { nowNs: atNs } = simulation;
        simulation.#options.observer?.discarded?.({ node, atNs, frame: simulation.#handled, reason });
      },
      routingChanged: (node, what) =>
        simulation.#quiet.changed({ atNs: simulation.nowNs, node: node.name, what }),
      print(node, text) {
        simulation.#budget.outputCharacters += text.length;
        node.session?.print(text, simulation.nowNs);
      },
    };
  }

  #after(node: SimNode, delayUs: number, call: () => void, kind: TimerKind): Timer {
    const timer = new TimerEvent(call, kind === "background" ? undefined : this.#foreground, node);
    this.#plan(Math.min(this.nowNs + delayUs * NS_PER_US, MAX_RUN_NS), timer);
    return timer;
  }

  /** A timer of the run itself. */
  #taskEvent(task: Task, foreground: Foreground | undefined): TimerEvent {
    return new TimerEvent(() => this.#do(task), foreground, undefined, task);
  }

  #do(task: Task): void {
    switch (task.kind) {
      case "carrier": {
        const link = this.#links.get(task.linkId);
        if (link) this.#travel.checkCarrier(link, task.atNs);
        break;
      }
      case "refused":
        task.node.refused(task.port, task.frame, task.mtuBytes);
        break;
      case "begin-session":
        beginSession(task.session, this.#context);
        break;
      case "next-line":
        task.session.typeNext();
    }
  }
}

/** An action that reports the carrier of a link to the devices at its ends, now and whenever it changes. */
const watchCarrier = (linkId: string, nodeIds: readonly string[]): Action => ({
  kind: "carrier",
  nodes: nodeIds,
  links: [linkId],
});

/** Whether a saved run has no use for an event: it does nothing any more, or only looks. */
const isLeftOut = (event: RunEvent): boolean =>
  (event.kind === "timer" && event.isOver) || (event.kind === "action" && isOnlooker(event.action));

const isOnlooker = (action: Action): boolean => action.kind === "other" && action.isOnlooker === true;

/** Returns whether the frame's target is a group address. */
const isToGroup = (frame: Uint8Array): boolean => ((frame[0] as number) & 1) === 1;

/** Converts seconds from clients to lab time in nanoseconds. */
export const toNs = (seconds: number): number =>
  Math.round((seconds * NS_PER_SECOND) / NS_PER_US) * NS_PER_US;
