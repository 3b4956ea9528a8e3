/** What each direction of the links carried. */
import type { LinkLine } from "@wirelab/engine/simulation/link-line";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { LinkCount } from "./report.ts";

export const countLinks = ({ links }: Simulation): LinkCount[] =>
  [...links.values()].flatMap(({ aToB, bToA }) => [countOf(aToB), countOf(bToA)]);

function countOf(line: LinkLine): LinkCount {
  const { entered, delivered, dropped, corrupted, underWay } = line.report();
  return {
    link: line.link.id,
    from: line.link.ends.find((end) => end !== line.peer)!.nodeId,
    to: line.peer?.nodeId ?? "",
    entered: entered.packets,
    delivered: delivered.packets,
    dropped: dropped.packets,
    corrupted: corrupted.packets,
    inFlight: underWay.packets,
    deliveredBytes: delivered.bytes,
  };
}
