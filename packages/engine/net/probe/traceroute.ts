/**
 * The router's traceroute: probes with an increasing time to live, one after another. Each hop reports an expired probe.
 * The target replies to a datagram to an unused port, or to an echo request.
 *
 *      1  10.0.1.2  0.212 ms  0.112 ms  0.112 ms
 *      2  *  *  *
 *      3  10.0.3.10  0.524 ms  10.0.3.11  0.512 ms  0.512 ms !H
 *
 * A mark after a time is an error: !N network, !H host or !P protocol unreachable, !X prohibited, !S source out of scope,
 * !F-MTU packet too big. The output ends at the hop with an error, or at the target.
 */
import type { Timer } from "../../base/world.ts";
import { formatAnyAddress } from "../address/prefix.ts";
import type { ProbeAnswer, ProbeKey } from "../packet/probe.ts";
import type { Core, Expected } from "../plane/core.ts";
import type { TraceRequest } from "./probe-arguments.ts";
import { formatMs, PROBE_WAIT_US, type Prober, probeData, sendProbe } from "./probe-packets.ts";

/** The first of the ports, which are assumed unused; each probe takes the next one. */
const FIRST_TARGET_PORT = 33_434;
const DATA = probeData(32);
const HOP_COLUMNS = 2;

export class Traceroute {
  readonly #core: Core;
  readonly #request: TraceRequest;
  readonly #send: (ttl: number, sequence: number) => string | undefined;
  readonly #done: () => void;
  #answers: Expected;
  #sent = 0;
  #sentUs = 0;
  #isWaiting = false;
  /** The host that replied last for the present hop. */
  #address = "";
  #isLastHop = false;
  #timer: Timer | undefined;

  constructor(parts: Prober, request: TraceRequest, done: () => void) {
    const { core } = parts;
    const { kind } = request;
    this.#core = core;
    this.#request = request;
    this.#answers = core.expectAnswers(kind, (answer) => this.#take(answer));
    this.#send = (ttl, sequence) => {
      const key: ProbeKey = { kind, id: this.#answers.id, sequence };
      return sendProbe(parts, request, key, { ttl, dontFragment: false, data: DATA });
    };
    this.#done = done;
  }

  freeze() {
    return {
      id: this.#answers.id,
      sent: this.#sent,
      sentUs: this.#sentUs,
      isWaiting: this.#isWaiting,
      address: this.#address,
      isLastHop: this.#isLastHop,
      timer: this.#timer,
    };
  }

  thaw(held: unknown): void {
    const frozen = held as ReturnType<Traceroute["freeze"]>;
    this.#answers.stop();
    this.#answers = this.#core.expectAgain(this.#request.kind, frozen.id, (answer) => this.#take(answer));
    this.#sent = frozen.sent;
    this.#sentUs = frozen.sentUs;
    this.#isWaiting = frozen.isWaiting;
    this.#address = frozen.address;
    this.#isLastHop = frozen.isLastHop;
    this.#timer = frozen.timer;
    this.#timer?.resume?.(() => this.#end("  *"));
  }

  start(): void {
    const { target, maxHops, kind } = this.#request;
    const protocol = kind === "udp" ? "UDP" : "ICMP";
    this.#print(`traceroute to ${formatAnyAddress(target)} by ${protocol}, ${maxHops} hops at most\n`);
    this.#next();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#answers.stop();
    this.#print("\n");
    this.#done();
  }

  get #sequence(): number {
    return this.#request.kind === "udp" ? FIRST_TARGET_PORT + this.#sent : this.#sent;
  }

  #next(): void {
    const { probes } = this.#request;
    const hop = Math.floor(this.#sent / probes) + 1;
    if (this.#sent % probes === 0) this.#beginHop(hop);
    this.#sent += 1;
    this.#sentUs = this.#core.world.nowUs;
    this.#isWaiting = true;
    const refusal = this.#send(hop, this.#sequence);
    if (refusal === undefined) this.#timer = this.#core.world.after(PROBE_WAIT_US, () => this.#end("  *"));
    else {
      this.#print(`  ${refusal}`);
      this.stop();
    }
  }

  #beginHop(hop: number): void {
    this.#address = "";
    this.#print(`${hop === 1 ? "" : "\n"}${String(hop).padStart(HOP_COLUMNS)}`);
  }

  #take({ sequence, from, error }: ProbeAnswer): void {
    if (sequence !== this.#sequence || !this.#isWaiting) return;
    const address = from === this.#address ? "" : `  ${from}`;
    const time = formatMs(this.#core.world.nowUs - this.#sentUs);
    const mark = error?.mark ? ` ${error.mark}` : "";
    this.#address = from;
    if (!error?.isExpired) this.#isLastHop = true;
    this.#end(`${address}  ${time} ms${mark}`);
  }

  #end(text: string): void {
    const { probes, maxHops } = this.#request;
    this.#timer?.cancel();
    this.#isWaiting = false;
    this.#print(text);
    const isHopOver = this.#sent % probes === 0;
    if (isHopOver && (this.#isLastHop || this.#sent === probes * maxHops)) this.stop();
    else this.#next();
  }

  #print(text: string): void {
    this.#core.world.print(text);
  }
}
