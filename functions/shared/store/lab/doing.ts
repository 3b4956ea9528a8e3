/**
 * What a function is doing with a node or a link on its compute: it is written before the compute is called, and removed with the
 * outcome. If the function dies, `until_ms` passes, and the next request that acts on it, or the sweeper, finishes the work.
 */
import { $remove, $set } from "dynamodb-toolbox/entity/actions/update";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";

const DEEDS = [
  "create",
  "update",
  "start",
  "stop",
  "suspend",
  "reload",
  "delete",
  "move",
  "connect",
  "tune",
  "disconnect",
  "start_capture",
  "stop_capture",
] as const;
export type Deed = (typeof DEEDS)[number];

export const storedDoing = map({
  what: string().enum(...DEEDS),
  /** Identifies the function that does it. */
  id: string(),
  /** No function lives that long: milliseconds since 1970. */
  until_ms: number(),
  /** The id of the node that is duplicated, while its copy is created. */
  source: string().optional(),
}).optional();

/** The partition of the index of projects in which the sweeper finds items with `doing`. */
export const DOING = "DOING";

export const storedListing = string().enum(DOING).optional();

export interface Doing {
  readonly what: Deed;
  readonly id: string;
  readonly until_ms: number;
  readonly source?: string | undefined;
}

/** The functions that call computes end after 29 s, or give their calls up then. */
const LEASE_MS = 30_000;

/** @param source the id of the node that is duplicated. */
export const begin = (what: Deed, source?: string): Doing => ({
  what,
  id: crypto.randomUUID(),
  until_ms: Date.now() + LEASE_MS,
  ...(source !== undefined && { source }),
});

/** Returns whether the function that began it may still be at work. */
export const isUnderWay = (doing: Doing | undefined): boolean =>
  doing !== undefined && Date.now() < doing.until_ms;

/** Attributes of an item, and changes of one, that note a deed and that remove the note. */
export const listed = (doing: Doing | undefined) => doing && ({ doing, listing: DOING } as const);
export const noting = (doing: Doing) => ({ doing: $set(doing), listing: DOING }) as const;
export const ended = { doing: $remove(), listing: $remove() } as const;
