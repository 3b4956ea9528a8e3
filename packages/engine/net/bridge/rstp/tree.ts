/** The part of a spanning tree that its state machines share. */
import type { Bpdu } from "./bpdu.ts";
import type { RstpPort } from "./port.ts";
import type { RstpSettings } from "./settings.ts";
import type { BridgeId, PriorityVector, Times } from "./vector.ts";

export interface Tree {
  readonly nowUs: number;
  readonly settings: RstpSettings;
  readonly bridgeId: BridgeId;
  readonly bridgeTimes: Times;
  readonly ports: readonly RstpPort[];
  rootPriority: PriorityVector;
  rootTimes: Times;
  /** The index of the root port; undefined at the root bridge. */
  rootPort: number | undefined;
  /** Removes the addresses that were learned at a port. */
  flush(port: RstpPort): void;
  transmit(port: RstpPort, bpdu: Bpdu): void;
}

/** Migrate Time, in seconds (table 17-1). */
export const MIGRATE_SECONDS = 3;
export const TX_HOLD_COUNT = 6;

export const usOf = (seconds: number): number => Math.round(seconds * 1_000_000);

export const isRunning = (tree: Tree, untilUs: number): boolean => untilUs > tree.nowUs;

/** The delay before a port learns, and again before it forwards (forwardDelay, 17.20). */
export const forwardDelayUs = (port: RstpPort): number =>
  usOf(port.sendRstp ? port.designatedTimes.helloTime : port.designatedTimes.forwardDelay);
