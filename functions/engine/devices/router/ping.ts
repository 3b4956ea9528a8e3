/** The router's own ping: one echo request after another, a second apart, each answered, failed or given up after 4 s. */
import { encodeEcho } from "../../wire/icmp.ts";
import { encodeIcmpv6, ICMPV6_ECHO } from "../../wire/icmpv6.ts";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6 } from "../../wire/ipv4.ts";
import type { Timer } from "../device.ts";
import { type Core, type EchoAnswer, OWN_TTL } from "./core.ts";
import type { Ipv4 } from "./ipv4.ts";
import type { Ipv6 } from "./ipv6.ts";
import { formatAnyAddress } from "./prefix.ts";

export const DEFAULT_PING_COUNT = 5;
export const MAX_PING_COUNT = 1_000;
const DATA_BYTES = 56;
const INTERVAL_US = 1_000_000;
/** Longer than it takes to find out that a neighbour is not there. */
const WAIT_US = 4_000_000;

export class Ping {
  readonly #core: Core;
  readonly #send: (sequence: number) => boolean;
  readonly #target: string;
  readonly #count: number;
  readonly #done: () => void;
  readonly #answers: { readonly id: number; stop(): void };
  readonly #timesUs: number[] = [];
  #sequence = 0;
  #sentUs = 0;
  #isWaiting = false;
  #timer: Timer | undefined;

  constructor(
    core: Core,
    { ipv4, ipv6 }: { ipv4: Ipv4; ipv6: Ipv6 },
    target: number | bigint,
    count: number,
    done: () => void,
  ) {
    this.#core = core;
    this.#answers = core.expectAnswers((answer) => this.#take(answer));
    const { id } = this.#answers;
    this.#send =
      typeof target === "number"
        ? (sequence) => sendEcho4(ipv4, target, id, sequence)
        : (sequence) => sendEcho6(ipv6, target, id, sequence);
    this.#target = formatAnyAddress(target);
    this.#count = count;
    this.#done = done;
  }

  start(): void {
    this.#core.world.print(`PING ${this.#target}: ${DATA_BYTES} data bytes\n`);
    this.#next();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#answers.stop();
    this.#core.world.print(this.#summary());
    this.#done();
  }

  #next(): void {
    if (this.#sequence === this.#count) {
      this.stop();
      return;
    }
    this.#sequence += 1;
    this.#sentUs = this.#core.world.nowUs;
    this.#isWaiting = true;
    if (this.#send(this.#sequence)) this.#timer = this.#core.world.after(WAIT_US, () => this.#giveUp());
    else this.#end("no route");
  }

  #take({ sequence, from, sizeBytes, ttl, error }: EchoAnswer): void {
    if (sequence !== this.#sequence || !this.#isWaiting) return;
    if (error !== undefined) {
      this.#end(error, from);
      return;
    }
    const timeUs = this.#core.world.nowUs - this.#sentUs;
    this.#timesUs.push(timeUs);
    this.#say(`${sizeBytes} bytes from ${from}: seq=${sequence} ttl=${ttl} time=${formatMs(timeUs)} ms`);
    this.#pause();
  }

  #giveUp(): void {
    this.#end("no answer");
  }

  #end(what: string, from?: string): void {
    this.#say(`${from === undefined ? "" : `from ${from}: `}seq=${this.#sequence} ${what}`);
    this.#pause();
  }

  /** Until the next request is due. */
  #pause(): void {
    this.#isWaiting = false;
    this.#timer?.cancel();
    if (this.#sequence === this.#count) {
      this.stop();
      return;
    }
    const dueUs = this.#sentUs + INTERVAL_US;
    const delayUs = Math.max(0, dueUs - this.#core.world.nowUs);
    this.#timer = this.#core.world.after(delayUs, () => this.#next());
  }

  #say(line: string): void {
    this.#core.world.print(`${line}\n`);
  }

  #summary(): string {
    const sent = this.#sequence;
    const received = this.#timesUs.length;
    const lostPct = Math.round((100 * (sent - received)) / sent);
    const counts = `${sent} sent, ${received} received, ${lostPct}% lost\n`;
    if (received === 0) return counts;
    const average = this.#timesUs.reduce((sum, time) => sum + time, 0) / received;
    const times = [Math.min(...this.#timesUs), average, Math.max(...this.#timesUs)].map(formatMs);
    return `${counts}round trip min/avg/max = ${times.join("/")} ms\n`;
  }
}

const formatMs = (timeUs: number): string => (timeUs / 1_000).toFixed(3);

/** The alphabet, as ping programs have always filled their packets. */
const DATA = Uint8Array.from({ length: DATA_BYTES }, (_, index) => 0x61 + (index % 26));

function sendEcho4(ipv4: Ipv4, target: number, id: number, sequence: number): boolean {
  const source = ipv4.sourceFor(target);
  if (source === undefined) return false;
  const fields = { source, target, protocol: PROTOCOL_ICMP, ttl: OWN_TTL };
  return ipv4.originate(fields, encodeEcho(id, sequence, DATA));
}

function sendEcho6(ipv6: Ipv6, target: bigint, id: number, sequence: number): boolean {
  const source = ipv6.sourceFor(target);
  if (source === undefined) return false;
  const fields = { source, target, nextHeader: PROTOCOL_ICMPV6, hopLimit: OWN_TTL };
  return ipv6.originate(fields, encodeIcmpv6(ICMPV6_ECHO, 0, id * 0x1_0000 + sequence, DATA));
}
