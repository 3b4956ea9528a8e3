/** `throughput`: a bulk transfer, as the server at one of its ends has counted it. */
import type { HostState, Transfer } from "@wirelab/engine/net/host/state";
import { describeTransfer, rateBps } from "@wirelab/engine/net/host/transfer-text";
import { transfersOf } from "@wirelab/engine/net/host/transfers";
import { type Comparison, holds } from "../model/comparison.ts";
import type { LabModel, NodeModel } from "../model/lab-model.ts";
import { addressesNow } from "../topology/addresses.ts";
import type { LabState } from "../topology/lab-state.ts";
import { type MakeCheck, passes } from "./check.ts";

export const throughput: MakeCheck<"throughput"> = ({ from, to, transfer, measures }, { atNs }, model) => ({
  momentNs: atNs,
  judge({ stateAt }) {
    const all = between(from, to, model, stateAt(atNs));
    const found = all.at(transfer === undefined ? -1 : transfer - 1);
    const entries = Object.entries(measures) as [keyof typeof measures, Comparison][];
    const expected = `${transfer === undefined ? "a transfer" : `transfer ${transfer}`} from ${from} to ${to}: ${entries
      .map(([key, { text }]) => (key === "is" ? text : `${key} ${text}`))
      .join(", ")}`;
    if (found === undefined) {
      const got = all.length === 0 ? "no transfer" : `${all.length} transfers`;
      return { status: "failed", expected, got };
    }
    const figures = { is: rateBps(found), resent: found.retransmissions, timeouts: found.timeouts };
    const isTrue =
      found.failure === undefined && entries.every(([key, comparison]) => holds(comparison, figures[key]));
    return { status: passes(isTrue), expected, got: describeTransfer(found) };
  },
});

/** What a server has sent; if the sender is none, what a server has received. */
function between(from: string, to: string, model: LabModel, state: LabState): Transfer[] {
  const node = (name: string): NodeModel => model.nodes.find((each) => each.name === name)!;
  const isSender = node(from).spec.type === "server";
  const [server, other] = isSender ? [from, to] : [to, from];
  const device = state.nodes.get(server)?.state?.device as HostState | undefined;
  if (device === undefined || node(server).spec.type !== "server") return [];
  const peers = addressesNow(node(other), state);
  const direction = isSender ? "sent" : "received";
  return transfersOf(device).filter((each) => each.direction === direction && peers.includes(each.peer));
}
