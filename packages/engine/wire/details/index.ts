/**
 * Takes a packet apart, layer by layer, with the bytes of each field: for people who look at one packet. `wire/summary` describes packets in
 * one line.
 *
 * It takes any bytes and never throws: a field whose bytes are missing is left out. It neither reassembles fragments nor follows streams.
 * The layers lie one after the other and cover the packet; what no reader knows is a layer of its own: `Data`, and `Padding` behind the end that
 * a header states.
 */
import type { DataLinkTypeName } from "../../pcap/index.ts";
import { type Layer, makeLayer, type Next, type Reader } from "./layer.ts";
import { readCiscoHdlc, readEthernet, readPpp } from "./link.ts";

export type { Field, Layer } from "./layer.ts";

/** Layers of a packet are few; a packet of nothing but tags has hundreds. */
const MOST_LAYERS = 16;

const READERS: Readonly<Partial<Record<DataLinkTypeName, Reader>>> = {
  DLT_EN10MB: readEthernet,
  DLT_C_HDLC: readCiscoHdlc,
  DLT_PPP_SERIAL: readPpp,
};

/** @param data the captured bytes. */
export function readDetails(data: Uint8Array, linkType: DataLinkTypeName): Layer[] {
  const layers: Layer[] = [];
  const read = READERS[linkType];
  let next: Next | undefined = read && { read, at: 0, end: data.length };
  let end = data.length;
  while (next !== undefined && layers.length < MOST_LAYERS) {
    end = next.end;
    const reader = next.read === "frame" ? readEthernet : next.read;
    const { layer, next: following } = reader(data, next.at, next.end);
    layers.push(layer);
    next = following;
  }
  const at = layers.reduce((sum, { length }) => sum + length, 0);
  return [
    ...layers,
    ...rest("Data", at, Math.max(at, end)),
    ...rest("Padding", Math.max(at, end), data.length),
  ];
}

const rest = (name: string, at: number, end: number): Layer[] =>
  end > at ? [makeLayer(name, at, end - at, end, [])] : [];
