/**
 * BGP as a table: the messages in a TCP segment, and its line.
 *
 * No stream is followed. A segment may begin inside a message: what is before the next marker is shown as such. The last message may end in
 * another segment: the fields that are present are shown.
 */
import { readU16 } from "../base/bytes.ts";
import { BGP, BGP_HEADER_BYTES, MARKER_BYTES } from "./bgp.ts";
import { AFIS, ERRORS, MESSAGES, SAFIS, subcodesOf } from "./bgp-names.ts";
import { openFields } from "./bgp-open-fields.ts";
import { messageText } from "./bgp-text.ts";
import { updateFields } from "./bgp-update-fields.ts";
import { bytesText, type Field, type Place, type Protocol, type Row } from "./protocol.ts";
import { dec8, dec16, hexOf, rowsAt } from "./show.ts";

const HEADER: readonly Row[] = [
  ["Marker", 0, MARKER_BYTES, (bytes, at) => hexOf(bytes.subarray(at, at + MARKER_BYTES))],
  ["Length", MARKER_BYTES, 2, dec16],
  ["Message", 18, 1, dec8, MESSAGES],
];
const REFRESH: readonly Row[] = [
  ["AFI", 0, 2, dec16, AFIS],
  ["Subtype", 2, 1, dec8, { 0: "request", 1: "begin", 2: "end" }],
  ["SAFI", 3, 1, dec8, SAFIS],
];
const MOST_SHOWN = 4;

interface Message {
  readonly at: number;
  /** Where it ends, or the segment. */
  readonly end: number;
  readonly isWhole: boolean;
}

/** Where the next marker is; the end, if there is none. */
function markerFrom({ bytes, at, end }: Place): number {
  let run = 0;
  for (let index = at; index < end; index++) {
    run = bytes[index] === 0xff ? run + 1 : 0;
    if (run === MARKER_BYTES) return index + 1 - MARKER_BYTES;
  }
  return end;
}

/** Messages up to the first whose length is impossible. */
function* messagesOf(place: Place): Generator<Message> {
  const { bytes, end } = place;
  let at = markerFrom(place);
  while (at + BGP_HEADER_BYTES <= end) {
    const next = at + Math.max(BGP_HEADER_BYTES, readU16(bytes, at + MARKER_BYTES));
    yield { at, end: Math.min(next, end), isWhole: next <= end };
    at = next;
    if (markerFrom({ ...place, at, end: Math.min(end, at + MARKER_BYTES) }) !== at) return;
  }
}

function notificationFields(place: Place): Field[] {
  const { bytes, at, end } = place;
  const fields = rowsAt(place, at, [
    ["Error", 0, 1, dec8, ERRORS],
    ["Error subcode", 1, 1, dec8, subcodesOf(bytes[at] ?? 0)],
  ]);
  const data = bytes.subarray(Math.min(at + 2, end), end);
  return data.length === 0
    ? fields
    : [...fields, { label: "Error data", value: hexOf(data), at: at + 2, length: data.length }];
}

function bodyFields(place: Place, type: number): Field[] {
  switch (type) {
    case BGP.open:
      return openFields(place);
    case BGP.update:
      return updateFields(place);
    case BGP.notification:
      return notificationFields(place);
    case BGP.routeRefresh:
      return rowsAt(place, place.at, REFRESH);
    default:
      return [];
  }
}

function fieldsOf(place: Place): Field[] {
  const start = Math.min(markerFrom(place), place.end);
  const fields: Field[] =
    start > place.at
      ? [
          {
            label: "Rest of a message",
            value: bytesText(start - place.at),
            at: place.at,
            length: start - place.at,
          },
        ]
      : [];
  for (const { at, end } of messagesOf(place)) {
    const own = { ...place, at: at + BGP_HEADER_BYTES, end };
    fields.push(...rowsAt({ ...place, end }, at, HEADER), ...bodyFields(own, place.bytes[at + 18]!));
  }
  return fields;
}

function lineOf(place: Place): string {
  const { bytes } = place;
  const start = markerFrom(place);
  const texts: string[] = start > place.at ? [`rest of a message, ${bytesText(start - place.at)}`] : [];
  let hidden = 0;
  for (const { at, end, isWhole } of messagesOf(place)) {
    if (texts.length === MOST_SHOWN) {
      hidden++;
      continue;
    }
    const type = bytes[at + 18]!;
    texts.push(
      isWhole
        ? messageText(type, bytes.subarray(at + BGP_HEADER_BYTES, end))
        : `${MESSAGES[type] ?? `type ${type}`}, ${bytesText(end - at)} of ${readU16(bytes, at + MARKER_BYTES)}`,
    );
  }
  const line = texts.join("; ") || "part of a message";
  return hidden === 0 ? line : `${line}; and ${hidden} more`;
}

export const BGP_4: Protocol = {
  name: "BGP",
  isGuess: true,
  least: [1, "BGP"],
  length: ({ at, end }) => end - at,
  list: fieldsOf,
  line: lineOf,
};
