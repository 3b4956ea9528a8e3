/** Evidence of a probe that got no answer: the probe again, with a log of all frames. */
import { readU32 } from "@wirelab/engine/base/bytes";
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  etherType,
} from "@wirelab/engine/wire/ethernet";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { Probe } from "../model/expectation.ts";
import { FrameLog, type LoggedFrame } from "../play/frame-log.ts";
import type { Played } from "../play/play.ts";
import { type PingOptions, ping } from "../play/probe.ts";
import type { Death, Evidence } from "../report/report.ts";
import { showPacket } from "../report/show-packet.ts";
import { addressesNow } from "../topology/addresses.ts";

const SHOWN_PACKETS = 12;

export function explainProbe(played: Played, probe: Probe, options: PingOptions): Evidence {
  const log = new FrameLog();
  ping(played, probe, { ...options, observer: log });
  const offsetNs = options.atNs ?? played.endNs;
  const own = ownFrames(played, probe, options, log.frames);
  return {
    packets: own.slice(-SHOWN_PACKETS).map((frame) => showPacket(frame, offsetNs)),
    death: deathOf(log, own, offsetNs),
  };
}

/** The frames of the probe: IPv4 packets between its ends, and what was sent because of them; ARP for and from its ends. */
function ownFrames(
  { model, stateAt }: Played,
  { from, to }: Probe,
  { atNs }: PingOptions,
  frames: readonly LoggedFrame[],
): LoggedFrame[] {
  const state = stateAt(atNs);
  const addresses = new Set<number>();
  for (const name of [from, to]) {
    const node = model.nodes.find((each) => each.name === name);
    for (const address of node ? addressesNow(node, state) : [name]) {
      const number = parseIpv4(address);
      if (number !== null) addresses.add(number);
    }
  }
  const isOwn = ({ frame }: LoggedFrame): boolean => {
    const at = ETHERNET_HEADER_BYTES;
    const type = etherType(frame);
    if (type === ETHERTYPE_IPV4 && frame.length >= at + 20) {
      return addresses.has(readU32(frame, at + 12)) && addresses.has(readU32(frame, at + 16));
    }
    if (type !== ETHERTYPE_ARP || frame.length < at + 28) return false;
    return addresses.has(readU32(frame, at + 14)) || addresses.has(readU32(frame, at + 24));
  };
  // IPv6 and tagged frames: all of the run, which has little else in it.
  const own = frames.filter(isOwn);
  return own.length > 0 ? own : [...frames];
}

function deathOf(log: FrameLog, own: readonly LoggedFrame[], offsetNs: number): Death | undefined {
  const at = (ns: number): number => (offsetNs + ns) / NS_PER_SECOND;
  const late = log.lateDiscards.at(-1);
  const last = own.findLast(
    ({ droppedBy, discardedFor, arrivedNs }) => droppedBy ?? discardedFor ?? arrivedNs === undefined,
  );
  if (last?.droppedBy) return { where: last.link, why: dropWords(last.droppedBy), at: at(last.enteredNs) };
  if (last?.discardedFor) return { where: last.to, why: last.discardedFor, at: at(last.arrivedNs!) };
  if (late) return { where: late.node, why: late.reason, at: at(late.atNs) };
  const end = own.at(-1);
  if (end === undefined) return undefined;
  return { where: end.to, why: "did not answer or forward it", at: at(end.arrivedNs ?? end.enteredNs) };
}

const dropWords = (filter: string): string =>
  filter === "suspend" ? "the link is down" : `dropped by ${filter}`;
