/**
 * AS_PATH and AS4_PATH (RFC 4271, section 4.3; RFC 5065; RFC 6793): segments of
 *
 *     type (1)   count (1)   AS numbers (2 or 4 each)
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { AS_TRANS, type AsSegment, SEGMENT } from "./bgp-attributes.ts";

const HEAD_BYTES = 2;
const MOST_SYSTEMS = 255;

export const isConfederationSegment = ({ type }: AsSegment): boolean =>
  type === SEGMENT.confederationSequence || type === SEGMENT.confederationSet;

/** Returns null unless the bytes are whole segments of known types with AS numbers, of which none is 0 (RFC 7606, section 7.2; RFC 7607). */
export function readAsPath(value: Uint8Array, systemBytes: 2 | 4): AsSegment[] | null {
  const segments: AsSegment[] = [];
  const read = systemBytes === 4 ? readU32 : readU16;
  for (let at = 0; at < value.length; ) {
    if (at + HEAD_BYTES > value.length) return null;
    const [type, count] = [value[at]!, value[at + 1]!];
    const next = at + HEAD_BYTES + count * systemBytes;
    if (type < SEGMENT.set || type > SEGMENT.confederationSet || count === 0 || next > value.length)
      return null;
    const systems = new Array<number>(count);
    for (let index = 0; index < count; index++) {
      const system = read(value, at + HEAD_BYTES + index * systemBytes);
      if (system === 0) return null;
      systems[index] = system;
    }
    segments.push({ type, systems });
    at = next;
  }
  return segments;
}

/** AS numbers that 2 bytes do not hold become `AS_TRANS`. A segment of more than 255 AS numbers becomes several. */
export function encodeAsPath(path: readonly AsSegment[], systemBytes: 2 | 4): Uint8Array {
  const segments = path.flatMap(shortSegments);
  const bytes = new Uint8Array(
    segments.reduce((sum, { systems }) => sum + HEAD_BYTES + systems.length * systemBytes, 0),
  );
  let at = 0;
  for (const { type, systems } of segments) {
    bytes[at] = type;
    bytes[at + 1] = systems.length;
    at += HEAD_BYTES;
    for (const system of systems) {
      if (systemBytes === 4) writeU32(bytes, at, system);
      else writeU16(bytes, at, isShort(system) ? system : AS_TRANS);
      at += systemBytes;
    }
  }
  return bytes;
}

export const isShort = (system: number): boolean => system <= 0xffff;

function shortSegments({ type, systems }: AsSegment): AsSegment[] {
  const segments: AsSegment[] = [];
  for (let at = 0; at < systems.length; at += MOST_SYSTEMS)
    segments.push({ type, systems: systems.slice(at, at + MOST_SYSTEMS) });
  return segments;
}

/** The length in decisions: a set counts 1, segments of a confederation 0 (RFC 4271, section 9.1.2.2; RFC 5065, section 5.3). */
export const asPathLength = (path: readonly AsSegment[]): number =>
  path.reduce((sum, segment) => sum + lengthOf(segment), 0);

function lengthOf({ type, systems }: AsSegment): number {
  if (type === SEGMENT.sequence) return systems.length;
  return type === SEGMENT.set ? 1 : 0;
}

/** Rebuilds a path from its two attributes: AS4_PATH with the front of AS_PATH that it lacks (RFC 6793, section 4.2.3). */
export function mergeAsPaths(
  path: readonly AsSegment[],
  as4Path: readonly AsSegment[],
): readonly AsSegment[] {
  let missing = asPathLength(path) - asPathLength(as4Path);
  if (missing < 0) return path;
  const front: AsSegment[] = [];
  for (const segment of path) {
    const length = lengthOf(segment);
    if (missing === 0 && length > 0) break;
    if (length <= missing) front.push(segment);
    else front.push({ type: segment.type, systems: segment.systems.slice(0, missing) });
    missing -= Math.min(length, missing);
    if (length > front.at(-1)!.systems.length) break;
  }
  return joined([...front, ...as4Path]);
}

/** Joins sequences that follow each other. */
function joined(path: readonly AsSegment[]): AsSegment[] {
  const segments: AsSegment[] = [];
  for (const segment of path) {
    const last = segments.at(-1);
    const isOne =
      last?.type === SEGMENT.sequence &&
      segment.type === SEGMENT.sequence &&
      last.systems.length + segment.systems.length <= MOST_SYSTEMS;
    if (isOne)
      segments[segments.length - 1] = { type: last.type, systems: [...last.systems, ...segment.systems] };
    else segments.push(segment);
  }
  return segments;
}
