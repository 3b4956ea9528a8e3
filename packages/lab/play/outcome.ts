/** Figures of a played lab. */
import { Digest } from "@wirelab/engine/simulation/digest";
import type { Played } from "./play.ts";

/** Fingerprint of all frames and all console text of the boot and the timeline. */
export const digestOf = ({ boot, timeline }: Played): string => `${boot.digest}${timeline.digest}`;

/** Fingerprint of all runs of the lab, those of its probes as well: equal for two seeds if no run of them drew anything at random. */
export function fingerprintOf(played: Played): string {
  const all = new Digest();
  for (const each of [digestOf(played), ...played.probes]) all.addText(each);
  return all.toString();
}

/** The switches and hubs between which packets looped, if a run ended at a limit for that. */
export const loopOf = ({ boot, timeline }: Played): readonly string[] | undefined =>
  boot.loop ?? timeline.loop;

/** Why routing was not quiet, at the boot or else at the end; nothing if it was. */
export function unsettledOf({ boot, timeline }: Played): { readonly unsettled?: string } {
  if (boot.unsettled !== undefined) return { unsettled: `while the lab booted, ${boot.unsettled}` };
  return timeline.unsettled === undefined ? {} : { unsettled: timeline.unsettled };
}

/** Programs of nodes that have failed at their start; nothing if none has. */
export function failuresOf({ boot, timeline }: Played): { readonly failures?: readonly string[] } {
  const failures = [boot, timeline].flatMap(({ nodes }) =>
    [...nodes.values()].flatMap(({ name, device }) =>
      (device?.console?.startup?.failures ?? []).map((failure) => `${name}: ${failure}`),
    ),
  );
  return failures.length > 0 ? { failures: [...new Set(failures)] } : {};
}
