/** The frames of all links of a lab as pcapng, with an interface for each link. */
import { NS_PER_SECOND, NS_PER_US } from "@wirelab/engine/base/time";
import { LINKTYPE_ETHERNET } from "@wirelab/engine/pcap/index";
import { encodeInterface, encodeSectionHeader, PacketBlockEncoder } from "@wirelab/engine/pcap/pcapng-writer";
import type { LabModel } from "../model/lab-model.ts";
import { FrameLog } from "../play/frame-log.ts";
import { play } from "../play/play.ts";

/** Plays the lab again, and records what its links deliver on the timeline. */
export function captureLab(model: LabModel, seed = model.seed): Uint8Array {
  const log = new FrameLog();
  const { timelineUs } = play(model, { seed, watchers: { timeline: log } });
  const numbers = new Map(model.links.map(({ name }, index) => [name, index]));
  const encoder = new PacketBlockEncoder(model.links.map(() => "nanosecond"));
  const arrived = log.frames.flatMap(({ arrivedNs, link, passed }) =>
    arrivedNs === undefined ? [] : [{ arrivedNs, link, passed }],
  );
  for (const { arrivedNs, link, passed } of arrived.toSorted((a, b) => a.arrivedNs - b.arrivedNs)) {
    const us = timelineUs + Math.floor(arrivedNs / NS_PER_US);
    const ns = (us % 1e6) * NS_PER_US + (arrivedNs % NS_PER_US);
    encoder.write(numbers.get(link)!, Math.floor(us / 1e6), ns % NS_PER_SECOND, passed, passed.length);
  }
  const headers = model.links.map(({ name }) =>
    encodeInterface({ linkType: LINKTYPE_ETHERNET, snaplen: 0, name, resolution: "nanosecond" }),
  );
  return join([encodeSectionHeader("wirelab"), ...headers, encoder.take()]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
