import type { Queue, Rate } from "../settings/direction-settings.ts";
import { Codel, type CodelState } from "./codel.ts";
import type { Casualties, Discipline } from "./discipline.ts";
import { DropTail } from "./drop-tail.ts";
import { FqCodel, type FqCodelState } from "./fq-codel.ts";
import { Red, type RedState } from "./red.ts";

/** A discipline's state with its name: the state of another discipline is of no use. */
export interface DisciplineState {
  readonly discipline: string;
  readonly state: unknown;
}

/** @param salt of the hash that divides packets among the flows of fq_codel. */
export function makeDiscipline(
  settings: Queue,
  rate: Rate,
  casualties: Casualties,
  saved: DisciplineState | undefined,
  originNs: number,
  salt: number,
): Discipline {
  const { discipline } = settings;
  const state = saved?.discipline === discipline ? saved.state : undefined;
  switch (discipline) {
    case "drop_tail":
      return new DropTail(settings, casualties);
    case "red":
      return new Red(settings, rate.rate, casualties, state as RedState | undefined, originNs);
    case "codel":
      return new Codel(settings, casualties, state as CodelState | undefined, originNs);
    case "fq_codel":
      return new FqCodel(settings, casualties, state as FqCodelState | undefined, originNs, salt);
  }
}
