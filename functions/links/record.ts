/** Commits the packets that a replay sent through a link to the link's running capture. */

import type { CaptureTap } from "@wirelab/engine/link/capture-tap";
import type { Receipt } from "../shared/edge/idempotency.ts";
import { startOfRunUs } from "../shared/run/clock.ts";
import { appended, commitChanges } from "../shared/run/commit.ts";
import type { LinkCounts } from "../shared/store/commit/count-parts.ts";
import { countTraffic } from "../shared/store/commit/link-counters.ts";
import type { LinkItem, RunningCapture } from "../shared/store/lab/link.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";
import { refusingTimes } from "./replay-file.ts";

/** Returns the lab's clock, or the end of the capture's last run if that is later, so that timestamps never go back. */
export function startOfRun(project: ProjectItem, capture: RunningCapture | undefined): bigint {
  return later(BigInt(startOfRunUs(project)) * NS_PER_US, BigInt(capture?.end_ns ?? 0));
}

const NS_PER_US = 1_000n;
const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** A replay as a run of one link. */
export interface ReplayRun {
  readonly project: ProjectItem;
  readonly link: LinkItem;
  /** The tap of the running capture, with what it has recorded. */
  readonly tap: CaptureTap | undefined;
  readonly startNs: bigint;
  readonly spanNs: number;
  /** What the replay adds to the counters of the link. */
  readonly traffic: LinkCounts;
  readonly receipt: Receipt | undefined;
}

/**
 * Adds the packets to the capture, and moves the lab's clock to the end. A reached limit is recorded even if the run adds no packet.
 * @returns `nothing` when the capture does not change, so there is no commit, and only the link counts the packets; false when the lab changed since it was read.
 * @throws ApiError `replay.not-a-capture`, and the errors of `commitChanges`.
 */
export async function record(run: ReplayRun): Promise<boolean | "nothing"> {
  const { project, link, tap, startNs, spanNs, traffic, receipt } = run;
  const { capture, link_id, revision } = link;
  const endNs = startNs + BigInt(spanNs);
  const added = capture && tap && refusingTimes(() => appended(capture, tap, startNs, endNs));
  if (added === undefined) {
    if (traffic.a_to_b[0] + traffic.b_to_a[0] > 0) await countTraffic(project, [traffic]);
    return "nothing";
  }
  const clockUs = Math.max(project.clock_us ?? 0, Number(endNs / NS_PER_US) + 1);
  const changes = [{ kind: "link", link_id, revision, added } as const];
  return commitChanges(project, clockUs, changes, { traffic: [traffic], receipt });
}
