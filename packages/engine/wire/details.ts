/**
 * Takes a packet apart, layer by layer, with the bytes of each field: for people who look at one packet. `summary` describes packets in one
 * line.
 *
 * It takes any bytes and never throws: a field whose bytes are missing is left out, and the layer states why the packet is not read any further.
 * It neither reassembles fragments nor follows streams. The layers lie one after the other and cover the packet. Bytes without a layout are the
 * layer `Data`; bytes after the length in a header are the layer `Padding`.
 */
import type { DataLinkTypeName } from "../pcap/index.ts";
import type { Field, TableName } from "./protocol.ts";
import { protocolOf } from "./protocols.ts";
import { rowsAt } from "./show.ts";
import { type Step, walk } from "./walk.ts";

export interface Layer {
  readonly name: string;
  readonly at: number;
  readonly length: number;
  readonly fields: readonly Field[];
  /** Why the rest of the packet is not read; undefined if it is, or if the capture or a quote cut it. */
  readonly problem?: string | undefined;
}

/** Layers of a packet are few; a packet of nothing but tags has hundreds. */
const MOST_LAYERS = 16;

/** @param data the captured bytes. @param originalLength the bytes on the wire. */
export function readDetails(
  data: Uint8Array,
  linkType: DataLinkTypeName,
  originalLength = data.length,
): Layer[] {
  const layers: Layer[] = [];
  let at = 0;
  let end = data.length;
  for (const step of walk(data, originalLength > data.length, linkType)) {
    if (step.place.at > step.place.end || layers.length === MOST_LAYERS) break;
    end = step.place.end;
    const layer = layerOf(step);
    // A protocol without a layout is data; one that only chooses the next has no bytes.
    if (layer === undefined) continue;
    layers.push(layer);
    at = layer.at + layer.length;
  }
  return [...layers, ...rest("Data", at, end), ...rest("Padding", Math.max(at, end), data.length)];
}

function layerOf({ protocol, place, isNoted, fault, next }: Step): Layer | undefined {
  if (protocol?.layout === undefined && protocol?.list === undefined) return undefined;
  const { at, end } = place;
  const length = next === undefined ? (protocol.length?.(place) ?? protocol.least?.[0] ?? 0) : next.at - at;
  if (length === 0) return undefined;
  const layout = typeof protocol.layout === "function" ? protocol.layout(place) : (protocol.layout ?? []);
  const list = isNoted ? (protocol.list?.(place) ?? []) : [];
  return {
    name: protocol.title ?? protocol.name,
    at,
    length: Math.max(0, Math.min(length, end - at)),
    fields: [...rowsAt(place, at, layout, nameOf), ...list],
    problem: fault?.isCut === true ? undefined : fault?.text,
  };
}

function nameOf(table: TableName, number: number): string | undefined {
  const protocol = protocolOf(table, number);
  return protocol?.title ?? protocol?.name;
}

const rest = (name: string, at: number, end: number): Layer[] =>
  end > at ? [{ name, at, length: end - at, fields: [] }] : [];
