/** The router has no open TCP ports: it answers every segment with a reset (RFC 9293, section 3.10.7.1). */
import { TCP_ACK, TCP_FIN, TCP_RST, TCP_SYN, type Tcp } from "../../wire/tcp.ts";

const NOTHING = new Uint8Array(0);

/** Undefined for a reset, which is not answered. */
export function resetFor({
  sourcePort,
  targetPort,
  sequence,
  acknowledgement,
  flags,
  data,
}: Tcp): Tcp | undefined {
  if (flags & TCP_RST) return undefined;
  const ends = { sourcePort: targetPort, targetPort: sourcePort, window: 0, options: NOTHING, data: NOTHING };
  if (flags & TCP_ACK) return { ...ends, sequence: acknowledgement, acknowledgement: 0, flags: TCP_RST };
  const taken = data.length + (flags & TCP_SYN ? 1 : 0) + (flags & TCP_FIN ? 1 : 0);
  return { ...ends, sequence: 0, acknowledgement: (sequence + taken) >>> 0, flags: TCP_RST | TCP_ACK };
}
