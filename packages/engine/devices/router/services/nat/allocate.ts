/**
 * Chooses the outside address and port of a new connection (RFC 4787, RFC 5382, RFC 5508): its own port if no other connection to the
 * same target has it there, else the next free one of the same range and parity.
 */
import type { Connections } from "../firewall/connections.ts";
import { hasPorts, inverse, isIcmp, isRequest, type Tuple } from "../firewall/tuple.ts";

const FIRST_UNPRIVILEGED = 1_024;
const MAX_PORT = 65_535;

/**
 * A port of a host inside keeps its translation for further targets where that is possible (RFC 4787, REQ-1).
 * @param forth the tuple that the packet leaves with, before its source is translated.
 * @returns the tuple of the responses.
 */
export function allocate(
  connections: Connections<number>,
  forth: Tuple<number>,
  addresses: readonly number[],
  nowUs: number,
): Tuple<number> | undefined {
  if (!addresses.includes(forth.source)) {
    const known = connections.latestFrom(forth, addresses, nowUs)?.reply;
    const reply = known && { ...inverse(forth), target: known.target, targetPort: known.targetPort };
    if (reply && connections.find(reply, nowUs) === undefined) return reply;
  }
  for (const address of addresses) {
    const reply = { ...inverse(forth), target: address };
    const isFree = (targetPort: number): boolean =>
      connections.find({ ...reply, targetPort }, nowUs) === undefined;
    const port = isFree(forth.sourcePort) ? forth.sourcePort : findPort(forth, isFree);
    if (port !== undefined) return { ...reply, targetPort: port };
  }
  return undefined;
}

function findPort(tuple: Tuple<number>, isFree: (port: number) => boolean): number | undefined {
  if (isIcmp(tuple.protocol))
    return isRequest(tuple) ? scan(tuple.sourcePort, 0, MAX_PORT, 1, isFree) : undefined;
  if (!hasPorts(tuple.protocol)) return undefined;
  const isLow = tuple.sourcePort < FIRST_UNPRIVILEGED;
  const [first, last] = isLow ? [1, FIRST_UNPRIVILEGED - 1] : [FIRST_UNPRIVILEGED, MAX_PORT];
  return scan(tuple.sourcePort, first, last, 2, isFree) ?? scan(tuple.sourcePort, first, last, 1, isFree);
}

/** Tries every `step`-th port after `from`, round the range once. */
function scan(
  from: number,
  first: number,
  last: number,
  step: number,
  isFree: (port: number) => boolean,
): number | undefined {
  const size = last - first + 1;
  for (let distance = step; distance < size; distance += step) {
    const port = first + ((from - first + distance) % size);
    if (step === 2 && (port & 1) !== (from & 1)) continue;
    if (isFree(port)) return port;
  }
  return undefined;
}
