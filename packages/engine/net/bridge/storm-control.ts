/**
 * Storm control: how many broadcast, multicast and unknown unicast packets per second a port takes.
 *
 * Each limit is a bucket that holds as many packets as the limit lets through in a second, and is full at first. Credit is counted in
 * millionths of a packet, so that it stays an integer in a clock of microseconds.
 */
import { byName } from "../../settings/collections.ts";
import { checked, integer, type ValueOf } from "../../settings/kind.ts";
import { byPort } from "./settings/kinds.ts";

const STORM_KINDS = ["broadcast", "multicast", "unknown_unicast"] as const;
export type StormKind = (typeof STORM_KINDS)[number];

/** More packets than a link of 10 Gb/s carries are no limit. */
const MAX_PACKETS_PER_SECOND = 10_000_000;

/** Packets per second, by port number; a kind that is absent has no limit. */
export const stormControl = byPort(
  checked(byName(STORM_KINDS, integer(1, MAX_PACKETS_PER_SECOND)), (limits) =>
    Object.keys(limits).length === 0 ? `must limit one of ${STORM_KINDS.join(", ")}` : undefined,
  ),
);
type StormControl = ValueOf<typeof stormControl>;

export type SavedStorm = [port: number, kind: StormKind, credit: number, atUs: number, drops: number];

export interface StormReport {
  readonly port: number;
  readonly kind: StormKind;
  readonly limit: number;
  readonly drops: number;
}

const PACKET = 1_000_000;
const SECOND_US = 1_000_000;

interface Bucket {
  readonly port: number;
  readonly kind: StormKind;
  readonly limit: number;
  credit: number;
  atUs: number;
  drops: number;
}

export class StormGuard {
  readonly #buckets: readonly Bucket[];

  constructor(control: StormControl, saved: readonly SavedStorm[] = []) {
    this.#buckets = Object.entries(control).flatMap(([number, limits]) =>
      STORM_KINDS.filter((kind) => limits[kind] !== undefined).map((kind) => {
        const port = Number(number);
        const limit = limits[kind]!;
        const before = saved.find((each) => each[0] === port && each[1] === kind);
        const [, , credit = limit * PACKET, atUs = 0, drops = 0] = before ?? [];
        return { port, kind, limit, credit: Math.min(credit, limit * PACKET), atUs, drops };
      }),
    );
  }

  /** Takes a packet's credit. @returns false if there is none: the packet is dropped, and counted. */
  admits(port: number, kind: StormKind, nowUs: number): boolean {
    const bucket = this.#buckets.find((each) => each.port === port && each.kind === kind);
    if (bucket === undefined) return true;
    const sinceUs = Math.min(nowUs - bucket.atUs, SECOND_US);
    bucket.credit = Math.min(bucket.credit + sinceUs * bucket.limit, bucket.limit * PACKET);
    bucket.atUs = nowUs;
    if (bucket.credit < PACKET) {
      bucket.drops += 1;
      return false;
    }
    bucket.credit -= PACKET;
    return true;
  }

  report(): StormReport[] {
    return this.#buckets.map(({ port, kind, limit, drops }) => ({ port, kind, limit, drops }));
  }

  save(): SavedStorm[] {
    return this.#buckets.map(({ port, kind, credit, atUs, drops }) => [port, kind, credit, atUs, drops]);
  }
}
