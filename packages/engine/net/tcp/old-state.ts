/** Reads connections that were saved before segments had records (flight.ts): what was in flight follows from the ranges they had. */
import { type Fate, type Flight, makeFlight, noteSent } from "./flight.ts";
import { covers, nextGap, type Range } from "./ranges.ts";
import { makeRack, type Recovery } from "./recovery-state.ts";
import type { Tcb } from "./tcb.ts";

/** What such a connection has in place of `flight` and `rack`. */
interface OldRecovery extends Recovery {
  /** What has been sent again, and has not been found lost again. */
  readonly resent: readonly Range[];
}

export type OldTcb = Omit<Tcb, "flight" | "rack" | "recovery"> & {
  readonly flight?: undefined;
  readonly recovery?: OldRecovery | undefined;
};

export function readTcb(saved: Tcb | OldTcb): Tcb {
  if (saved.flight !== undefined) return saved;
  const { recovery, ...rest } = saved;
  const highest = saved.reported.at(-1)?.[1] ?? 0;
  return {
    ...rest,
    flight: flightOf(saved),
    rack: { ...makeRack(), highest },
    recovery: recovery && {
      kind: recovery.kind,
      point: recovery.point,
      ...(recovery.proportion && { proportion: recovery.proportion }),
    },
  };
}

function flightOf(saved: OldTcb): Flight {
  const { unacknowledged, next, reported, mssBytes, lastSentUs, recovery } = saved;
  const flight = makeFlight();
  // A SYN has no record.
  for (let at = Math.max(unacknowledged, saved.initial + 1), end = at; at < next; at = end) {
    const [gap, gapEnd] = nextGap(reported, at);
    end = Math.min(next, gap > at ? gap : Math.min(gapEnd, at + mssBytes));
    const isResent = covers(recovery?.resent ?? [], at);
    noteSent(flight, { start: at, end, sentUs: lastSentUs, isResent, fate: fateOf(saved, at) });
  }
  return flight;
}

function fateOf(saved: OldTcb, start: number): Fate {
  const { recovery, reported, usesSack } = saved;
  if (covers(reported, start)) return "arrived";
  if (recovery === undefined || covers(recovery.resent, start)) return "flying";
  const edge = recovery.kind === "timeout" ? recovery.point : usesSack ? (reported.at(-1)?.[0] ?? 0) : 0;
  return start < edge ? "lost" : "flying";
}
