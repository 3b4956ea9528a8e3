/**
 * The console of a node on a compute. No process lives between two messages, so the request of a message holds the compute's socket for
 * the rest of its time, and carries both directions; what is typed meanwhile comes through the table:
 *
 *     message "a" -> holds, opens the socket ----- types "a", "b" ----- prints ----- out of time: closes, releases
 *     message "b"         -> appended, held by the other request
 *
 * The next message opens the socket again. What the node prints while no request holds its console is not shown.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { SocketTarget } from "../../shared/compute/socket-target.ts";
import { ComputeConsole } from "../../shared/compute-console/compute-console.ts";
import { print } from "../../shared/console/print.ts";
import {
  type ConsoleItem,
  type ConsoleKey,
  getConsole,
  releaseConsole,
  removeConsole,
  saveProgress,
  type TypedText,
} from "../../shared/store/console/console.ts";
import { disconnect } from "../../shared/store/sockets/send.ts";
import { countDue, patienceMs } from "./order.ts";

export interface RelayTimes {
  readonly remainingTimeMs: () => number;
  /** The time of the clock of API Gateway: milliseconds since 1970. */
  readonly nowMs: () => number;
  /** The pause between two looks for what was typed, while something is typed or printed, and when the console is silent. */
  readonly busyPollMs: number;
  readonly idlePollMs: number;
  /** A console is silent when nothing was typed or printed for this time. */
  readonly silenceMs: number;
  /** Time that is kept for closing. */
  readonly reserveMs: number;
}

export const RELAY_TIMES = {
  nowMs: Date.now,
  busyPollMs: 50,
  idlePollMs: 200,
  silenceMs: 2_000,
  reserveMs: 3_000,
} as const;

const keyOf = ({ project_id, node_id, connection_id }: ConsoleItem): ConsoleKey => ({
  project_id,
  node_id,
  connection_id,
});

const CUT_OFF = "\r\n[The node prints more than one request can carry. Press a key to see what follows.]\r\n";
const CLOSED = "\r\n[The compute has closed the console.]\r\n";

/** @throws ApiError `compute.console-closed` when the compute opens no console. */
export async function relay(item: ConsoleItem, target: SocketTarget, times: RelayTimes): Promise<void> {
  const console = await ComputeConsole.open(target);
  try {
    await new Relay(item, console, times).run();
  } finally {
    await console.close();
  }
}

class Relay {
  readonly #item: ConsoleItem;
  readonly #console: ComputeConsole;
  readonly #times: RelayTimes;
  readonly #seen = new Set<string>();
  /** These are the first messages of the console. */
  readonly #isNew: boolean;
  #handled: number;
  /** Messages that wait for earlier ones. */
  #waiting = 0;
  #lastMs = performance.now();

  constructor(item: ConsoleItem, console: ComputeConsole, times: RelayTimes) {
    this.#item = item;
    this.#handled = item.handled;
    this.#isNew = item.handled === 0 && item.revision === item.input.length;
    this.#console = console;
    this.#times = times;
  }

  async run(): Promise<void> {
    const { remainingTimeMs, reserveMs } = this.#times;
    let current: ConsoleItem | undefined = this.#item;
    while (current !== undefined && current.holder === this.#item.holder) {
      if (!(await this.#typeDue(current))) return;
      if (!(await this.#print())) return;
      if (!this.#console.isOpen) return this.#end();
      if (remainingTimeMs() < reserveMs && this.#waiting === 0) {
        if (!this.#isSilent) await print(this.#item.connection_id, CUT_OFF);
        if (await releaseConsole(current, current)) return;
      } else await this.#wait();
      current = await getConsole(this.#item);
    }
  }

  /**
   * Types the messages that have waited for earlier ones; all of them when the time is over. Notes them first: the request that follows one
   * that has died must not type them again.
   * @returns false when another request holds the console.
   */
  async #typeDue(current: ConsoleItem): Promise<boolean> {
    const { input, holder = "", terminal, prompt } = current;
    const fresh = input.slice(this.#handled);
    const due = fresh.slice(0, countDue(fresh, this.#dueMs(input)));
    this.#waiting = fresh.length - due.length;
    if (due.length === 0) return true;
    this.#handled += due.length;
    const progress = { terminal, prompt, handled: this.#handled };
    if (!(await saveProgress(keyOf(current), holder, progress))) return false;
    for (const { id, text } of due.toSorted((one, other) => one.at_ms - other.at_ms)) {
      // A repeated write may have stored it twice.
      if (!this.#seen.has(id)) this.#console.type(text);
      this.#seen.add(id);
    }
    this.#lastMs = performance.now();
    return true;
  }

  /** Returns the time up to which messages are typed. */
  #dueMs(input: readonly TypedText[]): number {
    const { remainingTimeMs, reserveMs, nowMs } = this.#times;
    if (remainingTimeMs() < reserveMs) return Number.POSITIVE_INFINITY;
    return nowMs() - patienceMs(input, this.#isNew, nowMs());
  }

  /** @returns false when the client has left. */
  async #print(): Promise<boolean> {
    const text = this.#console.take();
    if (text === "") return true;
    this.#lastMs = performance.now();
    if (await print(this.#item.connection_id, text)) return true;
    await removeConsole(this.#item);
    return false;
  }

  get #isSilent(): boolean {
    return performance.now() - this.#lastMs >= this.#times.silenceMs;
  }

  async #end(): Promise<void> {
    await print(this.#item.connection_id, CLOSED);
    await removeConsole(this.#item);
    await disconnect(this.#item.connection_id);
  }

  /** Waits until the node prints, or it is time to look for what was typed. */
  async #wait(): Promise<void> {
    if (this.#console.hasPrinted) return;
    const { busyPollMs, idlePollMs } = this.#times;
    const waiting = new AbortController();
    const onNews = (): void => waiting.abort();
    this.#console.once("news", onNews);
    const pauseMs = this.#isSilent && this.#waiting === 0 ? idlePollMs : busyPollMs;
    await sleep(pauseMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    this.#console.off("news", onNews);
  }
}
