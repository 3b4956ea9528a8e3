/** `send`: bulk data to another host, as iperf sends them. */

import { parseAnyAddress } from "../../net/address/prefix.ts";
import type { App } from "../../net/host/applications.ts";
import type { Host } from "../../net/host/host.ts";
import { MAX_SEND_BYTES, MAX_SEND_SECONDS, type SendOrder, SINK_PORT } from "../../net/host/settings.ts";
import { describeTransfer } from "../../net/host/transfer-text.ts";
import { transferOf } from "../../net/host/transfers.ts";
import { ALGORITHM_WORDS, isAlgorithm } from "../../net/tcp/algorithms.ts";
import { type Live, saveConnection } from "../../net/tcp/tcp-host.ts";
import { readOptions } from "../../settings/options.ts";

const CONTROLS = ALGORITHM_WORDS.join("|");
export const SEND_SYNTAX = `ADDR [-n COUNT] [-t SECONDS] [-p NUMBER] [-C ${CONTROLS}]`;
export const SEND_USAGE = `send ADDR -n BYTES|-t SECONDS [-p PORT] [-C ${CONTROLS}]`;
const MULTIPLES: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };
const OPTIONS = {
  "-n": "word",
  "-t": [1, MAX_SEND_SECONDS],
  "-p": [1, 65_535],
  "-C": "word",
} as const;

type Order = Omit<SendOrder, "afterSeconds">;

/** @returns the order, or an error as text. */
export function readSend([to, ...args]: readonly string[]): Order | string {
  if (to === undefined) return `send needs an address: ${SEND_USAGE}`;
  if (parseAnyAddress(to) === null) return `${to} is not an address: ${SEND_USAGE}`;
  const options = readOptions(args, OPTIONS);
  if (typeof options === "string") return options;
  const { "-n": size, "-C": congestion } = options.words;
  const { "-t": seconds, "-p": port = SINK_PORT } = options.numbers;
  if ((size === undefined) === (seconds === undefined)) return `send needs either -n or -t: ${SEND_USAGE}`;
  const bytes = size === undefined ? undefined : parseBytes(size);
  if (bytes === null) return `-n takes a number of bytes from 1 to ${MAX_SEND_BYTES}: 500k, 10M, 1G`;
  if (congestion !== undefined && !isAlgorithm(congestion))
    return `-C takes one of ${ALGORITHM_WORDS.join(", ")}`;
  return {
    to,
    port,
    ...(bytes !== undefined && { bytes }),
    ...(seconds !== undefined && { seconds }),
    ...(congestion !== undefined && { congestion }),
  };
}

function parseBytes(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,13})([kmg]?)$/i.exec(text) ?? [];
  const bytes = Number(number ?? 0) * MULTIPLES[unit.toLowerCase()]!;
  return bytes >= 1 && bytes <= MAX_SEND_BYTES ? bytes : null;
}

export class Send {
  readonly #host: Host;
  readonly #order: Order;
  readonly #done: () => void;
  #live: Live<App> | undefined;

  constructor(host: Host, order: Order, done: () => void) {
    this.#host = host;
    this.#order = order;
    this.#done = done;
  }

  start(): void {
    const live = this.#host.send(this.#order);
    if (typeof live === "string") {
      this.#end(live);
      return;
    }
    this.#watch(live);
  }

  freeze(): App | undefined {
    return this.#live?.app;
  }

  thaw(held: unknown): void {
    const live = this.#host.liveOf(held as App);
    if (live !== undefined) this.#watch(live);
  }

  #watch(live: Live<App>): void {
    this.#live = live;
    // The peer has everything when it has acknowledged the FIN; whether it closes too is its own affair.
    this.#host.watch(live, (event) => {
      const { state } = live.connection.tcb;
      if (event.kind === "closed") this.#report(event.reason);
      else if (state === "FIN-WAIT-2" || state === "TIME-WAIT") this.#report(undefined);
    });
  }

  /** Ctrl-C ends the transfer. */
  stop(): void {
    if (this.#live === undefined) return;
    this.#host.unwatch(this.#live);
    this.#live.connection.abort();
    this.#report("aborted");
  }

  #report(failure: string | undefined): void {
    const live = this.#live;
    if (live === undefined) return;
    this.#live = undefined;
    this.#host.unwatch(live);
    this.#end(describeTransfer(transferOf(saveConnection(live), failure)!));
  }

  #end(line: string): void {
    this.#host.world.print(`${line}\n`);
    this.#done();
  }
}
