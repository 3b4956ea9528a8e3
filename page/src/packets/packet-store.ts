/**
 * The packets of one or several captures in order of time. Packets come in any order of captures; rows are decoded when they are shown, so a
 * hundred thousand packets cost their parsing and one sort.
 */
import {
  compileProgram,
  FilterSyntaxError,
  interpret,
  type PacketPredicate,
} from "@wirelab/engine/bpf/index";
import { CaptureError, type CaptureFrame, makeCaptureReader } from "@wirelab/engine/pcap/index";
import { readDetails } from "@wirelab/engine/wire/details";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { identityOf } from "@wirelab/lab/play/packet-identity";
import type { Counts, FilterProblem, Packet, Row, Sighting, Source } from "./model.ts";

interface Stored extends CaptureFrame {
  readonly source: number;
  /** From 1. */
  readonly number: number;
}

interface Input {
  readonly source: Source;
  readonly reader: ReturnType<typeof makeCaptureReader>;
  count: number;
  damage: string | undefined;
}

/** Copies of one packet on other links are looked for in this time around it. */
const SIGHTING_SECONDS = 30;

export class PacketStore {
  #inputs: Input[] = [];
  /** In order of time. */
  #packets: Stored[] = [];
  /** Those that match the filter, in order of time. */
  #shown: Stored[] = [];
  #late: Stored[] = [];
  #predicates: PacketPredicate[] | undefined;
  #generation = 0;

  /** Forgets all packets. */
  open(sources: readonly Source[]): void {
    this.#inputs = sources.map((source) => ({
      source,
      reader: makeCaptureReader(),
      count: 0,
      damage: undefined,
    }));
    this.#packets = [];
    this.#shown = [];
    this.#late = [];
    this.#generation += 1;
  }

  /** Takes the next bytes of a capture's file. The bytes must not change afterwards. */
  take(source: number, bytes: Uint8Array): void {
    const input = this.#inputs[source];
    if (input === undefined || input.damage !== undefined) return;
    try {
      for (const frame of input.reader.push(bytes)) this.#add(frame, source, ++input.count);
    } catch (error) {
      if (!(error instanceof CaptureError)) throw error;
      input.damage = error.message;
    }
  }

  #add(frame: CaptureFrame, source: number, number: number): void {
    const stored: Stored = Object.assign(frame, { source, number });
    const last = this.#packets.at(-1);
    if (last !== undefined && compare(last, stored) > 0) this.#late.push(stored);
    else {
      this.#packets.push(stored);
      if (this.#matches(stored)) this.#shown.push(stored);
    }
  }

  #matches({ source, data, originalLength }: Stored): boolean {
    return this.#predicates === undefined || this.#predicates[source]!(data, originalLength);
  }

  /** Puts packets that came late in their places. */
  #settle(): void {
    if (this.#late.length === 0) return;
    this.#packets = [...this.#packets, ...this.#late].sort(compare);
    this.#late = [];
    this.#refill();
  }

  #refill(): void {
    this.#shown =
      this.#predicates === undefined
        ? [...this.#packets]
        : this.#packets.filter((each) => this.#matches(each));
    this.#generation += 1;
  }

  /** Shows the packets that match a pcap-filter expression; all for an empty one. @returns why the expression is refused. */
  filter(expression: string): FilterProblem | undefined {
    try {
      this.#predicates =
        expression.trim() === ""
          ? undefined
          : this.#inputs.map(({ source }) => predicateOf(expression, source.linkType));
    } catch (error) {
      if (!(error instanceof FilterSyntaxError)) throw error;
      const { message, line, column, expected } = error;
      return { message, line, column, expected };
    }
    this.#settle();
    this.#refill();
    return undefined;
  }

  counts(): Counts {
    this.#settle();
    return {
      total: this.#packets.length,
      matched: this.#shown.length,
      generation: this.#generation,
      damaged: this.#inputs.flatMap(({ damage }, source) =>
        damage === undefined ? [] : [[source, damage] as const],
      ),
    };
  }

  rows(from: number, count: number): Row[] {
    this.#settle();
    return this.#shown.slice(from, from + count).map((each, offset) => this.#row(each, from + offset));
  }

  #row(packet: Stored, index: number): Row {
    const { source, number, data, originalLength } = packet;
    const decoded = decodePacket(data, originalLength, this.#inputs[source]!.source.linkType);
    return {
      index,
      number,
      source,
      seconds: this.#secondsOf(packet),
      from: withPort(decoded.source, decoded.source_port),
      to: withPort(decoded.target, decoded.target_port),
      protocol: decoded.protocol,
      length: originalLength,
      info: decoded.info,
    };
  }

  /** Seconds since the first packet; differences of nanoseconds are exact. */
  #secondsOf({ seconds, nanoseconds }: Stored): number {
    const first = this.#packets[0]!;
    return seconds - first.seconds + (nanoseconds - first.nanoseconds) / 1e9;
  }

  packet(index: number): Packet | undefined {
    this.#settle();
    const stored = this.#shown[index];
    if (stored === undefined) return undefined;
    const { source, seconds, nanoseconds, data, originalLength } = stored;
    const layers = readDetails(data, this.#inputs[source]!.source.linkType, originalLength);
    const ttl = layers
      .find(({ name }) => name === "IPv4" || name === "IPv6")
      ?.fields.find(({ label }) => label === "Time to live" || label === "Hop limit")?.value;
    return {
      row: this.#row(stored, index),
      timeMs: seconds * 1000 + nanoseconds / 1e6,
      bytes: data.slice(),
      originalLength,
      layers,
      sightings: this.#sightingsOf(stored),
      ttl: ttl === undefined ? undefined : Number(ttl),
    };
  }

  /** The copies of a packet on the other links, by its content without what routers change. */
  #sightingsOf(packet: Stored): Sighting[] {
    const own = this.#secondsOf(packet);
    const nearest = new Map<string, Sighting>();
    const identity = identityOf(packet.data);
    const take = (each: Stored): void => {
      const { linkId } = this.#inputs[each.source]!.source;
      const seconds = this.#secondsOf(each);
      const before = nearest.get(linkId);
      if (before === undefined || Math.abs(seconds - own) < Math.abs(before.seconds - own))
        nearest.set(linkId, { linkId, seconds, number: each.number });
    };
    take(packet);
    const ownLink = this.#inputs[packet.source]!.source.linkId;
    for (const each of this.#around(own)) {
      if (this.#inputs[each.source]!.source.linkId === ownLink) continue;
      if (identityOf(each.data) === identity) take(each);
    }
    return [...nearest.values()].sort((a, b) => a.seconds - b.seconds);
  }

  *#around(seconds: number): Iterable<Stored> {
    const isBefore = (each: Stored, limit: number) => this.#secondsOf(each) < limit;
    let low = 0;
    for (let high = this.#packets.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (isBefore(this.#packets[middle]!, seconds - SIGHTING_SECONDS)) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < this.#packets.length; at++) {
      const each = this.#packets[at]!;
      if (!isBefore(each, seconds + SIGHTING_SECONDS)) return;
      yield each;
    }
  }
}

/** Interprets the program: the page's Content Security Policy forbids the functions that `compileFilter` generates. */
const predicateOf = (expression: string, linkType: Source["linkType"]): PacketPredicate =>
  interpret(compileProgram(expression, linkType));

/** Equal times keep the order of the captures, and of the packets in each. */
const compare = (a: Stored, b: Stored): number =>
  a.seconds - b.seconds || a.nanoseconds - b.nanoseconds || a.source - b.source || a.number - b.number;

const withPort = (address: string | null, port: number | null): string =>
  port === null ? (address ?? "") : `${address?.includes(":") ? `[${address}]` : address}:${port}`;
