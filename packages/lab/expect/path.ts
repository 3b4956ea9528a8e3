/** `path`: the nodes that a packet crosses. */
import { holds } from "../model/comparison.ts";
import type { Probe } from "../model/expectation.ts";
import { followPacket } from "../play/follow.ts";
import { FrameLog, type LoggedFrame } from "../play/frame-log.ts";
import { isCarriedOn } from "../play/packet-identity.ts";
import type { Played } from "../play/play.ts";
import { ping } from "../play/probe.ts";
import { isFor } from "../play/probe-packet.ts";
import { showPacket } from "../report/show-packet.ts";
import { type MakeCheck, passes } from "./check.ts";
import { explainProbe } from "./probes.ts";

/** Nodes that count as routers on a way. */
const FORWARDERS: ReadonlySet<string | undefined> = new Set(["router", "linux"]);

export const path: MakeCheck<"path"> = ({ probe, via, isWhole, hops }, { atNs }, model) => ({
  momentNs: atNs,
  probes: true,
  judge(played) {
    const { way, limit } = wayOf(played, probe, atNs);
    const types = new Map(model.nodes.map(({ name, spec }) => [name, spec.type]));
    const between = way.map(({ to }) => to).filter((name) => name !== probe.to);
    const handled = way.flatMap((hop, index) => {
      const next = way[index + 1];
      return next !== undefined && isCarriedOn(hop.passed, next.frame) ? [] : [hop.to];
    });
    const routers = handled.filter((name) => name !== probe.to && FORWARDERS.has(types.get(name)));
    const names = isWhole ? between : routers;
    const isThere = way.at(-1)?.to === probe.to && way.at(-1)?.arrivedNs !== undefined;
    const isVia =
      via === undefined || (names.length === via.length && names.every((name, at) => name === via[at]));
    const isTrue = isThere && isVia && (hops === undefined || holds(hops, routers.length));
    const got = [probe.from, ...names, ...(isThere ? [probe.to] : [])].join(" -> ");
    const expected = [
      ...(via ? [[probe.from, ...via, probe.to].join(" -> ")] : []),
      ...(hops ? [`${hops.text} routers`] : []),
    ].join(", ");
    if (!isThere && limit !== undefined)
      return { status: "undecided", expected, got: `the run reached its limit of ${limit}` };
    return {
      status: passes(isTrue),
      expected,
      got: isThere ? got : way.length === 0 ? "the packet was not sent" : `${got}, where it ended`,
      ...(!isTrue && {
        evidence: isThere
          ? { packets: way.map(showPacket), death: undefined }
          : explainProbe(played, probe, { atNs, tries: 1 }),
      }),
    };
  },
});

/** The way of the first packet that the probe sends to its target; empty if it sends none. */
function wayOf(
  played: Played,
  probe: Probe,
  atNs: number | undefined,
): { readonly way: readonly LoggedFrame[]; readonly limit: string | undefined } {
  const log = new FrameLog();
  const { limit, target } = ping(played, probe, { atNs, tries: 1, observer: log });
  const sent = log.frames.find(({ from, frame }) => from === probe.from && isFor(target, frame));
  return { way: sent === undefined ? [] : followPacket(log, sent, probe.to), limit };
}
