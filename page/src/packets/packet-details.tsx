/** One packet: its layers and fields, and its bytes. Pointing at one shows the other. */
import type { Layer } from "@wirelab/engine/wire/details";
import type { Field } from "@wirelab/engine/wire/protocol";
import { useState } from "preact/hooks";
import type { Packet } from "./model.ts";

interface Range {
  readonly at: number;
  readonly length: number;
}

const BYTES_A_ROW = 8;
/** More would make the page slow; a button shows the rest. */
const SHOWN_BYTES = 4_096;

export const PacketDetails = ({ packet }: { readonly packet: Packet }) => {
  const [marked, setMarked] = useState<Range | undefined>(undefined);
  const { bytes, layers, originalLength, timeMs } = packet;
  return (
    <div class="packet-details">
      <div class="packet-layers">
        <p class="packet-summary">
          {originalLength} bytes on the wire, {bytes.length} captured, {new Date(timeMs).toISOString()}
        </p>
        {layers.map((layer) => (
          <LayerView key={`${layer.name} ${layer.at}`} layer={layer} marked={marked} onMark={setMarked} />
        ))}
      </div>
      <ByteView bytes={bytes} layers={layers} marked={marked} onMark={setMarked} />
    </div>
  );
};

interface LayerProperties {
  readonly layer: Layer;
  readonly marked: Range | undefined;
  readonly onMark: (range: Range | undefined) => void;
}

const LayerView = ({ layer, marked, onMark }: LayerProperties) => (
  <details open>
    {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary takes the focus, and toggles its details */}
    <summary
      class={isSame(layer, marked) ? "marked" : undefined}
      onMouseEnter={() => onMark(layer)}
      onFocus={() => onMark(layer)}
    >
      {layer.name} <small>{layer.length} bytes</small>
    </summary>
    {layer.problem !== undefined && <p class="packet-problem">Not read any further: {layer.problem}.</p>}
    <ul>
      {layer.fields.map((field) => (
        <li key={`${field.label} ${field.at}`}>
          <button
            type="button"
            class={isSame(field, marked) ? "field marked" : "field"}
            onMouseEnter={() => onMark(field)}
            onFocus={() => onMark(field)}
            onClick={() => onMark(field)}
          >
            <span>{field.label}</span> {field.value}
          </button>
        </li>
      ))}
    </ul>
  </details>
);

const isSame = (one: Range, other: Range | undefined): boolean =>
  other !== undefined && one.at === other.at && one.length === other.length;

const holds = ({ at, length }: Range, place: number): boolean => at <= place && place < at + length;

/** Returns the smallest field with the byte, else its layer. */
function partWith(layers: readonly Layer[], place: number): Range | undefined {
  const layer = layers.find((each) => holds(each, place));
  const fields = (layer?.fields ?? []).filter((each) => holds(each, place));
  return fields.reduce<Field | Layer | undefined>(
    (smallest, each) => (smallest === undefined || each.length < smallest.length ? each : smallest),
    fields[0] ?? layer,
  );
}

interface ByteProperties {
  readonly bytes: Uint8Array;
  readonly layers: readonly Layer[];
  readonly marked: Range | undefined;
  readonly onMark: (range: Range | undefined) => void;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
const printable = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·");

const ByteView = ({ bytes, layers, marked, onMark }: ByteProperties) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? bytes : bytes.subarray(0, SHOWN_BYTES);
  const rows = Array.from({ length: Math.ceil(shown.length / BYTES_A_ROW) }, (_, row) => row * BYTES_A_ROW);
  const point = (event: Event): void => {
    const { at } = (event.target as HTMLElement).dataset;
    if (at !== undefined) onMark(partWith(layers, Number(at)));
  };
  const cell = (at: number, text: string) => (
    <span key={at} data-at={at} class={marked && holds(marked, at) ? "marked" : undefined}>
      {text}
    </span>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields beside it do the same by keyboard
    // biome-ignore lint/a11y/useKeyWithMouseEvents: the fields beside it do the same by keyboard
    <div class="packet-bytes" onMouseOver={point}>
      {rows.map((row) => {
        const line = [...shown.subarray(row, row + BYTES_A_ROW)];
        return (
          <div key={row} class="byte-row">
            <span class="byte-offset">{hex(row, 4)}</span>
            <span class="byte-hex">{line.map((byte, offset) => cell(row + offset, hex(byte, 2)))}</span>
            <span class="byte-text">{line.map((byte, offset) => cell(row + offset, printable(byte)))}</span>
          </div>
        );
      })}
      {!isWhole && bytes.length > SHOWN_BYTES && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {bytes.length} bytes
        </button>
      )}
    </div>
  );
};
