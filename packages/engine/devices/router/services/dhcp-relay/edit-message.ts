/**
 * Changes of DHCP messages in a relay (RFC 1542, section 4.1; RFC 3046), byte by byte: a relay passes on what it does not know.
 *
 *     0   1      2     3     4    ...  10     ...  24      ...  236     240
 *     op  htype  hlen  hops  xid       flags       giaddr       cookie  options
 */
import { concatBytes, readU32, writeU32 } from "../../../../base/bytes.ts";

const HOPS_AT = 3;
const GIADDR_AT = 24;
const OPTIONS_AT = 240;
const OPTION_PAD = 0;
const OPTION_AGENT = 82;
const OPTION_END = 255;
/** The first part of the agent's option: the port at which the request arrived (RFC 3046, section 3.1). */
const CIRCUIT_ID = 1;
/** RFC 1542, section 2.1: the least size of a message. */
const LEAST_BYTES = 300;

export const hopsOf = (data: Uint8Array): number => data[HOPS_AT] as number;

/** Returns a copy with one hop more, and the relay's address if no other relay has put in its own. */
export function relayed(data: Uint8Array, relayIp: number): Uint8Array {
  const copy = Uint8Array.from(data);
  copy[HOPS_AT] = hopsOf(data) + 1;
  if (readU32(copy, GIADDR_AT) === 0) writeU32(copy, GIADDR_AT, relayIp);
  return copy;
}

/** Returns the message with the agent's option at its end; unchanged if it has one. */
export function withAgentOption(data: Uint8Array, circuit: string): Uint8Array {
  const end = findOption(data, OPTION_END);
  if (end === undefined || findOption(data, OPTION_AGENT) !== undefined) return data;
  const id = new TextEncoder().encode(circuit);
  const option = Uint8Array.of(OPTION_AGENT, id.length + 2, CIRCUIT_ID, id.length, ...id, OPTION_END);
  return padded(concatBytes(data.subarray(0, end), option));
}

/** Returns the message without the agent's option (RFC 3046, section 2.1). */
export function withoutAgentOption(data: Uint8Array): Uint8Array {
  const at = findOption(data, OPTION_AGENT);
  if (at === undefined) return data;
  return padded(concatBytes(data.subarray(0, at), data.subarray(at + 2 + (data[at + 1] as number))));
}

function padded(data: Uint8Array): Uint8Array {
  if (data.length >= LEAST_BYTES) return data;
  const whole = new Uint8Array(LEAST_BYTES);
  whole.set(data);
  return whole;
}

function findOption(data: Uint8Array, code: number): number | undefined {
  for (let at = OPTIONS_AT; at < data.length; ) {
    if (data[at] === code) return at;
    if (data[at] === OPTION_END) return undefined;
    at += data[at] === OPTION_PAD ? 1 : 2 + (data[at + 1] ?? 0);
  }
  return undefined;
}
