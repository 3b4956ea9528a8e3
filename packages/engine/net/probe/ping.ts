/**
 * The router's ping: sends echo requests a second apart. Each request succeeds, fails or times out after 4 s. For a group
 * address, every reply within the second counts.
 */
import type { Timer } from "../../base/world.ts";
import { formatAnyAddress } from "../address/prefix.ts";
import type { ProbeAnswer } from "../packet/probe.ts";
import type { Core, Expected } from "../plane/core.ts";
import type { PingRequest } from "./probe-arguments.ts";
import { formatMs, PROBE_WAIT_US, type Prober, probeData, sendProbe } from "./probe-packets.ts";

const INTERVAL_US = 1_000_000;

export class Ping {
  readonly #core: Core;
  readonly #request: PingRequest;
  readonly #send: (sequence: number) => string | undefined;
  readonly #done: () => void;
  #answers: Expected;
  readonly #timesUs: number[] = [];
  /** The hosts that replied. */
  readonly #hosts = new Set<string>();
  #sequence = 0;
  #received = 0;
  #sentUs = 0;
  #isWaiting = false;
  #isAnswered = false;
  #timer: Timer | undefined;

  constructor(parts: Prober, request: PingRequest, done: () => void) {
    const { core } = parts;
    this.#core = core;
    this.#request = request;
    this.#answers = core.expectAnswers("echo", (answer) => this.#take(answer));
    const { dataBytes, dontFragment } = request;
    const settings = { ttl: core.ttl, dontFragment, data: probeData(dataBytes) };
    this.#send = (sequence) =>
      sendProbe(parts, request, { kind: "echo", id: this.#answers.id, sequence }, settings);
    this.#done = done;
  }

  freeze() {
    return {
      id: this.#answers.id,
      timesUs: this.#timesUs,
      hosts: this.#hosts,
      sequence: this.#sequence,
      received: this.#received,
      sentUs: this.#sentUs,
      isWaiting: this.#isWaiting,
      isAnswered: this.#isAnswered,
      timer: this.#timer,
    };
  }

  thaw(held: unknown): void {
    const frozen = held as ReturnType<Ping["freeze"]>;
    this.#answers.stop();
    this.#answers = this.#core.expectAgain("echo", frozen.id, (answer) => this.#take(answer));
    this.#timesUs.push(...frozen.timesUs);
    for (const host of frozen.hosts) this.#hosts.add(host);
    this.#sequence = frozen.sequence;
    this.#received = frozen.received;
    this.#sentUs = frozen.sentUs;
    this.#isWaiting = frozen.isWaiting;
    this.#isAnswered = frozen.isAnswered;
    this.#timer = frozen.timer;
    this.#timer?.resume?.(() => (frozen.isWaiting ? this.#giveUp() : this.#next()));
  }

  start(): void {
    const { target, port, dataBytes } = this.#request;
    const zone = port ? `%${port.name}` : "";
    this.#say(`PING ${formatAnyAddress(target)}${zone}: ${dataBytes} data bytes`);
    this.#next();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#answers.stop();
    this.#core.world.print(this.#summary());
    this.#done();
  }

  #next(): void {
    if (this.#sequence === this.#request.count) {
      this.stop();
      return;
    }
    this.#sequence += 1;
    this.#sentUs = this.#core.world.nowUs;
    this.#isWaiting = true;
    this.#isAnswered = false;
    const refusal = this.#send(this.#sequence);
    const waitUs = this.#request.isGroup ? INTERVAL_US : PROBE_WAIT_US;
    if (refusal === undefined) this.#timer = this.#core.world.after(waitUs, () => this.#giveUp());
    else this.#end(refusal);
  }

  #take({ sequence, from, sizeBytes, ttl, error }: ProbeAnswer): void {
    if (sequence !== this.#sequence || !this.#isWaiting) return;
    if (error !== undefined) {
      this.#end(error.text, from);
      return;
    }
    const timeUs = this.#core.world.nowUs - this.#sentUs;
    this.#timesUs.push(timeUs);
    this.#hosts.add(from);
    if (!this.#isAnswered) this.#received += 1;
    this.#isAnswered = true;
    this.#say(`${sizeBytes} bytes from ${from}: seq=${sequence} ttl=${ttl} time=${formatMs(timeUs)} ms`);
    if (!this.#request.isGroup) this.#pause();
  }

  #giveUp(): void {
    if (this.#isAnswered) this.#pause();
    else this.#end("no answer");
  }

  #end(what: string, from?: string): void {
    this.#say(`${from === undefined ? "" : `from ${from}: `}seq=${this.#sequence} ${what}`);
    this.#pause();
  }

  /** Waits until the next request is due. */
  #pause(): void {
    this.#isWaiting = false;
    this.#timer?.cancel();
    if (this.#sequence === this.#request.count) {
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
    const lostPct = Math.round((100 * (sent - this.#received)) / sent);
    const hosts = this.#request.isGroup ? `, ${formatHosts(this.#hosts.size)}` : "";
    const counts = `${sent} sent, ${this.#received} received, ${lostPct}% lost${hosts}\n`;
    if (this.#timesUs.length === 0) return counts;
    const average = this.#timesUs.reduce((sum, time) => sum + time, 0) / this.#timesUs.length;
    const times = [Math.min(...this.#timesUs), average, Math.max(...this.#timesUs)].map(formatMs);
    return `${counts}round trip min/avg/max = ${times.join("/")} ms\n`;
  }
}

const formatHosts = (hosts: number): string => (hosts === 1 ? "1 host" : `${hosts} hosts`);
