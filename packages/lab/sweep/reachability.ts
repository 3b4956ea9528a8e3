/** The reachability of each pair of PCs, as expectations. */
import type { Expectation } from "../model/expectation.ts";
import type { LabModel } from "../model/lab-model.ts";

/** The first try may be lost to ARP's timeout, as with `reach`. */
const TRIES = 3;

export function pairsOfPcs({
  nodes,
}: Pick<LabModel, "nodes">): { readonly from: string; readonly to: string }[] {
  const pcs = nodes.filter(({ spec }) => spec.type === "vpcs").map(({ name }) => name);
  return pcs.flatMap((from) => pcs.filter((to) => to !== from).map((to) => ({ from, to })));
}

/** One expectation for each pair, at the end of the timeline, named `pc1 -> pc2`. */
export const expectAllPairs = (model: LabModel): Expectation[] =>
  pairsOfPcs(model).map(({ from, to }) => ({
    name: `${from} -> ${to}`,
    isNegated: false,
    atNs: undefined,
    withinNs: undefined,
    sinceNs: 0,
    place: undefined,
    claim: { kind: "reach", probes: [{ from, to, protocol: "icmp", port: 0 }], tries: TRIES },
  }));
