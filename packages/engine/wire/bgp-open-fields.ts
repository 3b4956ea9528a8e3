/** The fields of an OPEN message: its parameters, the capabilities in them, and what a capability lists. */
import { readU16 } from "../base/bytes.ts";
import { AFIS, CAPABILITIES, SAFIS } from "./bgp-names.ts";
import { CAPABILITY, OPEN_BYTES, PARAMETER_CAPABILITIES, parametersOf } from "./bgp-open.ts";
import type { Field, Place, Row } from "./protocol.ts";
import { bytesText } from "./protocol.ts";
import { dec8, dec16, dec32, flagNames, hexOf, ipv4, rowsAt } from "./show.ts";

const OPEN: readonly Row[] = [
  ["Version", 0, 1, dec8],
  ["AS", 1, 2, dec16],
  ["Hold time", 3, 2, (bytes, at) => `${readU16(bytes, at)} s`],
  ["Identifier", 5, 4, ipv4],
  ["Parameters", 9, 1, (bytes, at) => bytesText(bytes[at]!)],
];
const LONG_OPEN: readonly Row[] = [
  ...OPEN,
  ["Long parameters", 10, 1, dec8],
  ["Parameters", 11, 2, (bytes, at) => bytesText(readU16(bytes, at))],
];

const restartFlags = (bytes: Uint8Array, at: number): string =>
  flagNames(bytes[at]!, [
    [0x80, "restarted"],
    [0x40, "notifications"],
  ]);
const AFI_ROW: Row = ["AFI", 0, 2, dec16, AFIS];

/** The rows before what a capability lists, and those of each member of the list. */
const LISTS: Readonly<
  Record<number, readonly [first: readonly Row[], firstBytes: number, each: readonly Row[], bytes: number]>
> = {
  [CAPABILITY.multiprotocol]: [[], 0, [AFI_ROW, ["Reserved", 2, 1, dec8], ["SAFI", 3, 1, dec8, SAFIS]], 4],
  [CAPABILITY.as4]: [[], 0, [["AS", 0, 4, dec32]], 4],
  [CAPABILITY.extendedNextHop]: [
    [],
    0,
    [AFI_ROW, ["SAFI", 2, 2, dec16, SAFIS], ["Next hop AFI", 4, 2, dec16, AFIS]],
    6,
  ],
  [CAPABILITY.gracefulRestart]: [
    [
      ["Restart flags", 0, 1, restartFlags],
      ["Restart time", 0, 2, (bytes, at) => `${readU16(bytes, at) & 0xfff} s`],
    ],
    2,
    [
      AFI_ROW,
      ["SAFI", 2, 1, dec8, SAFIS],
      ["Forwarding state", 3, 1, (bytes, at) => (bytes[at]! & 0x80 ? "kept" : "not kept")],
    ],
    4,
  ],
  [CAPABILITY.addPath]: [
    [],
    0,
    [
      AFI_ROW,
      ["SAFI", 2, 1, dec8, SAFIS],
      ["Mode", 3, 1, dec8, { 1: "receives", 2: "sends", 3: "receives and sends" }],
    ],
    4,
  ],
};

/** @param place of the body. */
export function openFields(place: Place): Field[] {
  const { bytes, at, end } = place;
  const body = bytes.subarray(at, end);
  if (body.length < OPEN_BYTES) return rowsAt(place, at, OPEN);
  const { at: start, length, headBytes } = parametersOf(body);
  const last = Math.min(end, at + start + length);
  const fields = rowsAt(place, at, headBytes === 3 ? LONG_OPEN : OPEN);
  for (let parameter = at + start; parameter + headBytes <= last; ) {
    const valueAt = parameter + headBytes;
    const valueBytes = headBytes === 3 ? readU16(bytes, parameter + 1) : bytes[parameter + 1]!;
    const next = valueAt + valueBytes;
    if (next > last) break;
    fields.push(parameterField(bytes[parameter]!, parameter, next - parameter));
    fields.push(
      ...rowsAt(place, parameter, [
        ["Parameter type", 0, 1, dec8, { [PARAMETER_CAPABILITIES]: "capabilities" }],
        ["Parameter length", 1, headBytes - 1, headBytes === 3 ? dec16 : dec8],
      ]),
    );
    if (bytes[parameter] === PARAMETER_CAPABILITIES)
      fields.push(...capabilityFields({ ...place, at: valueAt, end: next }));
    parameter = next;
  }
  return fields;
}

const parameterField = (type: number, at: number, length: number): Field => ({
  label: "Parameter",
  value: type === PARAMETER_CAPABILITIES ? "capabilities" : `type ${type}`,
  at,
  length,
});

function capabilityFields(place: Place): Field[] {
  const { bytes, end } = place;
  const fields: Field[] = [];
  for (let at = place.at; at + 2 <= end; ) {
    const code = bytes[at]!;
    const next = at + 2 + bytes[at + 1]!;
    if (next > end) break;
    fields.push({ label: "Capability", value: CAPABILITIES[code] ?? `code ${code}`, at, length: next - at });
    fields.push(
      ...rowsAt(place, at, [
        ["Capability code", 0, 1, dec8, CAPABILITIES],
        ["Capability length", 1, 1, dec8],
      ]),
      ...valueFields({ ...place, at: at + 2, end: next }, code),
    );
    at = next;
  }
  return fields;
}

function valueFields(place: Place, code: number): Field[] {
  const { bytes, at, end } = place;
  const list = LISTS[code];
  if (list === undefined) {
    const value = hexOf(bytes.subarray(at, end));
    return end > at ? [{ label: "Capability value", value, at, length: end - at }] : [];
  }
  const [first, firstBytes, each, size] = list;
  const fields = rowsAt(place, at, first);
  for (let member = at + firstBytes; member + size <= end; member += size)
    fields.push(...rowsAt(place, member, each));
  return fields;
}
