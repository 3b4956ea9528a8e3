/**
 * The hops of a trace: three probes each, one after another, each for a second at most.
 *
 * It ends with the hop from which the target answered, or anybody said that it cannot be reached.
 */
import type { AddressFamily, IpPacket } from "../address-family.ts";
import type { Host, Received, Script } from "../host.ts";
import { type HopAnswer, HopLine } from "./hop-line.ts";

const PROBES = 3;
const ANSWER_US = 1_000_000;
const NUMBER_COLUMNS = 2;

/** One trace command, its target and the way there known. */
export interface Trace<A, P extends IpPacket> {
  readonly family: AddressFamily<A, P>;
  readonly host: Host;
  readonly target: A;
  /** Between a hop's number and the rest of its line. */
  readonly gap: string;
  /** Whether the target's own refusal, which ends a trace by UDP, is told with its reason. */
  readonly tellsOwnRefusal: boolean;
  /** Sends the next probe, which goes `ttl` hops far. */
  send(ttl: number): void;
  /** Whether a packet answers the probe that was sent last. */
  isAnswer(packet: P): boolean;
}

export function* traceHops<A, P extends IpPacket>(trace: Trace<A, P>, maxHops: number): Script {
  for (let ttl = 1; ttl <= maxHops; ttl++) if (yield* traceHop(trace, ttl)) return;
}

/** Prints the line of a hop, as far as it goes when the command is interrupted. @returns whether it was the last. */
function* traceHop<A, P extends IpPacket>(trace: Trace<A, P>, ttl: number): Script<boolean> {
  const { family, host, gap } = trace;
  const { world } = host;
  const line = new HopLine(String(ttl).padStart(NUMBER_COLUMNS) + gap);
  const accept = (packet: Received): boolean => family.is(packet) && trace.isAnswer(packet);
  try {
    for (let probes = 0; probes < PROBES; probes++) {
      const sentUs = world.nowUs;
      trace.send(ttl);
      const packet = (yield { timeoutUs: ANSWER_US, accept }) as P | undefined;
      line.add(packet && read(trace, packet), world.nowUs - sentUs);
    }
  } finally {
    world.print(`${line.text}\n`);
  }
  return line.isLast;
}

function read<A, P extends IpPacket>(trace: Trace<A, P>, packet: P): HopAnswer {
  const { family, host, target, tellsOwnRefusal } = trace;
  const source = family.sourceOf(packet);
  const isTarget = source === target;
  const isTold = family.isUnreachable(host, packet) && (tellsOwnRefusal || !isTarget);
  return { address: family.format(source), isTarget, refusal: isTold ? family.errorText(packet) : undefined };
}
