/**
 * Follows computes for the clients that follow events over WebSockets, which no function holds: one function does it for all of them,
 * for as long as there are such clients, and calls itself when its time is over.
 *
 *     new connection -> take the lease -> follow the computes of the clients; look for new clients every few seconds
 *                       taken: raise `wanted`            none wanted: let go       out of time: let go, call again
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ComputeWatch, News } from "../shared/compute-events/compute-watch.ts";
import { logger } from "../shared/edge/log.ts";
import { SERVICE_STREAM } from "../shared/store/events/event.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { listRealNodes } from "../shared/store/lab/real-nodes.ts";
import { listConnections } from "../shared/store/sockets/connection.ts";
import { sendToAll } from "../shared/store/sockets/deliver.ts";
import {
  callWatcher,
  dropWatch,
  leaveWatch,
  takeWatch,
  type WatchLease,
} from "../shared/store/sockets/watch.ts";
import { type Wanted, WantedComputes } from "./wanted.ts";

export interface WatchOptions {
  /** Identifies the call. */
  readonly id: string;
  readonly remainingTimeMs: () => number;
  /** The pause between two looks for new clients. */
  readonly pollMs?: number;
}

const POLL_MS = 5_000;
/** Time that is kept for the end. */
const RESERVE_MS = 10_000;
/** The lease of a function that has died lasts this much longer than the function could. */
const SPARE_MS = 1_000;

/** @returns how many computes were followed at the end; 0 if none is wanted, undefined if another function follows them. */
export async function watchComputes(options: WatchOptions): Promise<number | undefined> {
  const { id, remainingTimeMs } = options;
  const untilMs = Date.now() + remainingTimeMs() + SPARE_MS;
  const lease = await takeWatch(id, untilMs);
  return lease && new Watcher(options).run(lease, untilMs);
}

class Watcher {
  readonly #options: WatchOptions;
  readonly #computes = new WantedComputes();
  #watch: ComputeWatch | undefined;
  #looking: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;
  /** Reports that are being sent. */
  readonly #sending = new Set<Promise<void>>();
  #wanted: Wanted = { service: false, projects: new Map(), computes: new Set() };

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  async run(first: WatchLease, untilMs: number): Promise<number | undefined> {
    const { id, remainingTimeMs, pollMs = POLL_MS } = this.#options;
    let lease: WatchLease | undefined = first;
    try {
      for (;;) {
        await this.#look();
        const { size } = this.#wanted.computes;
        // Loaded on first use: most clients follow no registered compute.
        if (size > 0) this.#watch ??= await this.#load();
        this.#watch?.keep(this.#wanted.computes);
        if (size === 0) {
          if (await leaveWatch(lease)) return size;
          // The lease has not been released: the same call takes it again, with what was wanted meanwhile.
          lease = await takeWatch(id, untilMs);
          if (lease === undefined) return undefined;
          continue;
        }
        if (remainingTimeMs() < RESERVE_MS) {
          await dropWatch(lease);
          await callWatcher();
          return size;
        }
        await sleep(pollMs);
      }
    } catch (error) {
      if (lease) await dropWatch(lease);
      throw error;
    } finally {
      await this.#watch?.close();
      await Promise.all(this.#sending);
    }
  }

  /** Looks for clients; the look begins after this call. Calls that come while one is waiting share it. */
  #look(): Promise<void> {
    this.#nextLook ??= this.#looking
      .catch(() => undefined)
      .then(() => {
        this.#nextLook = undefined;
        this.#looking = this.#read();
        return this.#looking;
      });
    return this.#nextLook;
  }

  async #read(): Promise<void> {
    this.#wanted = await this.#computes.read(await listConnections({ opening: true }));
  }

  async #load(): Promise<ComputeWatch> {
    const { ComputeWatch } = await import("../shared/compute-events/compute-watch.ts");
    return new ComputeWatch(
      (news) => this.#announce(news),
      (computeId) => this.#nodesOn(computeId),
    );
  }

  async #nodesOn(computeId: string): Promise<NodeItem[]> {
    const using = [...this.#wanted.projects].filter(([, computes]) => computes.has(computeId));
    const nodes = (await Promise.all(using.map(([id]) => listRealNodes(id)))).flat();
    return nodes.filter(({ document }) => document.compute_id === computeId);
  }

  #announce(news: News): void {
    const sending = this.#send(news)
      .catch((error: unknown) => logger.error("fault", { route: "watcher.send", error: error as Error }))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** The load of a compute comes again. A log message comes once, so it is also for clients that have connected since the last look. */
  async #send({ action, event, computeId, projectId }: News): Promise<void> {
    if (action !== "compute.updated") await this.#look();
    const text = JSON.stringify({ action, event });
    const streams = this.#streamsOf(action, computeId, projectId);
    await Promise.all(streams.map((stream) => sendToAll(stream, text)));
  }

  #streamsOf(action: string, computeId: string, projectId: string | undefined): string[] {
    const { service, projects } = this.#wanted;
    if (action === "compute.updated") return service ? [SERVICE_STREAM] : [];
    const using = [...projects].filter(([, computes]) => computes.has(computeId)).map(([id]) => id);
    return using.filter((id) => projectId === undefined || id === projectId);
  }
}
