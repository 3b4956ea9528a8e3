/** The report of a run in its response. */

import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import type { DirectionReport } from "@wirelab/engine/link/direction-report";
import { impairmentsToJson } from "@wirelab/engine/link/impairments/report-json";
import type { LinkLine } from "@wirelab/engine/simulation/link-line";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { formatLabTime } from "../schemas/lab-time.ts";
import type { RunReport } from "../schemas/run.ts";
import type { LabRun } from "./lab-run.ts";

type Outcome = Pick<
  RunReport,
  "started_at" | "elapsed" | "stopped" | "limit" | "unsettled" | "loop" | "events" | "digest"
>;

export function outcomeOf({ simulation, startUs }: LabRun): Outcome {
  const stopped = simulation.stopped!;
  return {
    started_at: formatLabTime(BigInt(startUs) * 1000n),
    elapsed: simulation.nowNs / NS_PER_SECOND,
    stopped: stopped.reason,
    limit: stopped.limit ?? null,
    ...(simulation.unsettled !== undefined && { unsettled: simulation.unsettled }),
    loop: simulation.loop ? [...simulation.loop] : null,
    events: simulation.events,
    digest: simulation.digest,
  };
}

const LOOP_NAMES_MAX = 16;

/** Returns the headers of a response without a report (RUN_HEADERS); none unless the run stopped at a limit, or before routing was quiet. */
export function headersOf(run: LabRun): Record<string, string> {
  const { limit, loop, unsettled } = outcomeOf(run);
  if (unsettled !== undefined) return { "x-run-unsettled": encodeURIComponent(unsettled.toWellFormed()) };
  if (limit === null) return {};
  const names = loop
    ?.slice(0, LOOP_NAMES_MAX)
    .map((name) => encodeURIComponent(name.toWellFormed()))
    .join(", ");
  return { "x-run-limit": limit, ...(names && { "x-run-loop": names }) };
}

export function reportOf(run: LabRun): Omit<RunReport, "replays"> {
  const { simulation, seed } = run;
  return {
    ...outcomeOf(run),
    packets: simulation.packets,
    seed,
    consoles: simulation.sessions.map(({ nodeId, output, status, startedNs, endedNs }) => ({
      node_id: nodeId,
      name: simulation.nodes.get(nodeId)!.name,
      output,
      status: status === "done" || status === "off" ? status : "interrupted",
      started: startedNs === undefined ? null : startedNs / NS_PER_SECOND,
      elapsed: startedNs === undefined ? null : ((endedNs ?? simulation.nowNs) - startedNs) / NS_PER_SECOND,
    })),
    startups: startupsOf(simulation),
    links: [...simulation.links.values()]
      .filter((link) => link.enteredPackets > 0)
      .map(({ id, aToB, bToA }) => ({ link_id: id, directions: [directionOf(aToB), directionOf(bToA)] })),
  };
}

/** Sorted by name: the nodes are in the order of their ids, which differs between stacks. */
const startupsOf = ({ nodes }: Simulation): RunReport["startups"] =>
  [...nodes.values()]
    .flatMap(({ id, name, device }) => {
      const startup = device?.console?.startup;
      if (startup === undefined) return [];
      const { status, output, remaining } = startup;
      return [{ node_id: id, name, status, output, remaining: [...remaining] }];
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

function directionOf(line: LinkLine): RunReport["links"][number]["directions"][number] {
  const { link, peer } = line;
  const from = link.ends.find((end) => end !== peer)!.nodeId;
  const { entered, delivered, dropped, corrupted, underWay, filters, impairments, delayMs }: DirectionReport =
    line.report();
  return {
    from,
    to: peer?.nodeId ?? null,
    in: entered,
    delivered,
    dropped,
    corrupted,
    in_flight: underWay,
    filters: Object.fromEntries(
      filters.map((each) => [
        each.type,
        { seen: each.seen, dropped: each.dropped, corrupted: each.corrupted },
      ]),
    ),
    ...(impairments && { impairments: impairmentsToJson(impairments) }),
    delay_ms: delayMs,
  };
}
