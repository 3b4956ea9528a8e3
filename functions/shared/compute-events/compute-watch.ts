/**
 * Follows what computes report, for a function that sends events to clients meanwhile: their load and connection, log messages, and changes
 * of nodes, which it stores. Only registered computes are called; the helper machine is not started for this.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { computeTypeOf } from "../compute/compute-types.ts";
import { peerOf, registeredIn } from "../compute/find.ts";
import { probe } from "../compute/probe.ts";
import { socketTarget } from "../compute/socket-target.ts";
import { logger } from "../edge/log.ts";
import type { ComputeState } from "../store/base/compute-state.ts";
import { forEachParallel } from "../store/base/parallel.ts";
import { type ComputeItem, readService, toCompute } from "../store/base/service.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { type ComputeMessage, readMessages } from "./messages.ts";
import { catchUp, noteNode, type Reporter } from "./note-status.ts";

/** An event that is not stored: clients that do not follow at the moment never get it. */
export interface News {
  /** `compute.updated`, `log.error`, `log.warning` or `log.info`. */
  readonly action: string;
  readonly event: object;
  readonly computeId: string;
  /** The project of a log message; undefined for all projects that use the compute. */
  readonly projectId: string | undefined;
}

export interface WatchTimes {
  /** The pause before a compute that is away is asked again. */
  readonly retryMs: number;
  /** A compute reports its load each second; clients get it less often. */
  readonly loadEveryMs: number;
}

const TIMES: WatchTimes = { retryMs: 5_000, loadEveryMs: 5_000 };
/** The most computes that one function follows. */
const MOST = 32;
const MOST_PENDING = 100;
/** How many nodes are asked for at once when a compute is followed. */
const PARALLEL = 4;
const MESSAGE_CHARACTERS = 1_000;
const LOG = /^log\.(error|warning|info)$/;

/** Returns the nodes on a compute that clients of the function see. */
export type NodesOn = (computeId: string) => Promise<readonly NodeItem[]>;

export class ComputeWatch {
  readonly #hear: (news: News) => void;
  readonly #nodesOn: NodesOn;
  readonly #times: WatchTimes;
  readonly #watched = new Map<string, { readonly ending: AbortController; readonly ended: Promise<void> }>();

  constructor(hear: (news: News) => void, nodesOn: NodesOn, times = TIMES) {
    this.#hear = hear;
    this.#nodesOn = nodesOn;
    this.#times = times;
  }

  add(computeId: string): void {
    if (this.#watched.has(computeId) || this.#watched.size >= MOST) return;
    const ending = new AbortController();
    this.#watched.set(computeId, { ending, ended: this.#watch(computeId, ending.signal) });
  }

  /** Follows these computes and no others. */
  keep(computeIds: ReadonlySet<string>): void {
    for (const [id, { ending }] of this.#watched) {
      if (computeIds.has(id)) continue;
      ending.abort();
      this.#watched.delete(id);
    }
    for (const id of computeIds) this.add(id);
  }

  /** Resolves when nothing is being stored any more. */
  async close(): Promise<void> {
    const all = [...this.#watched.values()];
    for (const { ending } of all) ending.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #watch(computeId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const compute = registeredIn(await readService(), computeId);
        if (compute) await this.#follow(compute, computeId, signal);
      } catch (error) {
        logger.warn("a compute cannot be followed", { compute_id: computeId, error: error as Error });
      }
      await sleep(this.#times.retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #follow(compute: ComputeItem, computeId: string, signal: AbortSignal): Promise<void> {
    const show = (state: ComputeState): void => this.#show(compute, computeId, state);
    let state = await probe(compute);
    // Clients show a compute that has not answered yet as away.
    if (signal.aborted || !state.connected) return;
    show(state);
    const peer = await peerOf(compute);
    const target = await socketTarget(peer, "/notifications/ws");
    let noting = Promise.resolve();
    let pending = 0;
    let shownMs = performance.now();
    const reporter = { compute_id: computeId, peer };
    const hear = (message: ComputeMessage): void => {
      if (message.action === "ping") {
        state = { ...state, ...loadIn(message) };
        if (performance.now() - shownMs < this.#times.loadEveryMs) return;
        shownMs = performance.now();
        show(state);
      } else if (message.action === "node.updated") {
        // The next status of the node, or its next action, corrects what is left out.
        if (pending >= MOST_PENDING) return;
        pending += 1;
        noting = noting.then(async () => {
          await noteNode(reporter, message.event).catch((error: unknown) =>
            logger.warn("a node's status is not stored", { error: error as Error }),
          );
          pending -= 1;
        });
      } else if (LOG.test(message.action)) {
        const { action, event, projectId } = message;
        const text = String(event.message).slice(0, MESSAGE_CHARACTERS).toWellFormed();
        this.#hear({ action, event: { message: text }, computeId, projectId });
      }
    };
    let catchingUp = Promise.resolve();
    await readMessages(target, signal, hear, () => {
      catchingUp = this.#catchUp(reporter, signal);
    });
    await Promise.all([noting, catchingUp]);
    if (!signal.aborted) show({ ...state, connected: false, ...NO_LOAD });
  }

  /** A node may have changed before the compute was followed: its report reached no function. */
  async #catchUp(reporter: Reporter, signal: AbortSignal): Promise<void> {
    const warn = (error: unknown) => logger.warn("a node's status is not stored", { error: error as Error });
    try {
      const nodes = await this.#nodesOn(reporter.compute_id);
      const changing = nodes.filter(({ document }) => !computeTypeOf(document.node_type).isAlwaysOn);
      await forEachParallel(changing, PARALLEL, async (node) => {
        if (!signal.aborted) await catchUp(reporter, node).catch(warn);
      });
    } catch (error) {
      warn(error);
    }
  }

  #show(compute: ComputeItem, computeId: string, state: ComputeState): void {
    // The helper machine has the address of another compute: functions/computes/view.ts.
    const name = compute.compute_id === computeId ? compute.name : `Sim VM (${compute.name})`;
    const event = { ...toCompute(compute), compute_id: computeId, name, ...state };
    this.#hear({ action: "compute.updated", event, computeId, projectId: undefined });
  }
}

const NO_LOAD = { cpu_usage_percent: null, memory_usage_percent: null };

function loadIn({ event }: ComputeMessage): Partial<ComputeState> {
  const { cpu_usage_percent: cpu, memory_usage_percent: memory } = event;
  if (typeof cpu !== "number" || typeof memory !== "number") return {};
  return { cpu_usage_percent: cpu, memory_usage_percent: memory };
}
