/**
 * Runs the hops of a trace: three probes per hop, one after another, with a wait of at most one second each.
 *
 * The trace ends with the hop at which the target answers, or at which any host reports the target as unreachable.
 */
import type { AddressFamily, IpPacket } from "../address-family.ts";
import type { Host, Received, Script } from "../host.ts";
import { type Notes, nextTurn, once, pause, turnsOf } from "../notes.ts";
import { type HopAnswer, HopLine } from "./hop-line.ts";

const PROBES = 3;
const ANSWER_US = 1_000_000;
const NUMBER_COLUMNS = 2;

/** One trace command with a resolved target and next hop. */
export interface Trace<A, P extends IpPacket> {
  readonly family: AddressFamily<A, P>;
  readonly host: Host;
  readonly target: A;
  /** The text between a hop's number and the rest of its line. */
  readonly gap: string;
  /** Whether the line shows the reason of the target's own refusal, which ends a trace by UDP. */
  readonly tellsOwnRefusal: boolean;
  /** Sends the next probe with this TTL. */
  send(ttl: number): void;
  /** Whether a packet answers the last probe. */
  isAnswer(packet: P): boolean;
}

export function* traceHops<A, P extends IpPacket>(trace: Trace<A, P>, maxHops: number, notes: Notes): Script {
  for (const hops = turnsOf(notes, "hops", 1); hops.number <= maxHops; nextTurn(hops))
    if (yield* traceHop(trace, hops.number, hops.notes)) return;
}

/** Prints the line of a hop, or its beginning if the command is interrupted. @returns whether the hop is the last. */
function* traceHop<A, P extends IpPacket>(trace: Trace<A, P>, ttl: number, notes: Notes): Script<boolean> {
  const { family, host, gap } = trace;
  const { world } = host;
  const line = new HopLine(String(ttl).padStart(NUMBER_COLUMNS) + gap);
  const accept = (packet: Received): boolean => family.is(packet) && trace.isAnswer(packet);
  const answers = once(notes, "answers", (): [answer: HopAnswer | undefined, elapsedUs: number][] => []);
  for (const each of answers) line.add(...each);
  const send = (): number => {
    trace.send(ttl);
    return world.nowUs;
  };
  try {
    for (const probes = turnsOf(notes, "probes"); probes.number < PROBES; nextTurn(probes)) {
      const sentUs = once(probes.notes, "sent", send);
      const packet = (yield* pause(probes.notes, "answer", { timeoutUs: ANSWER_US, accept })) as
        | P
        | undefined;
      answers.push([packet && read(trace, packet), world.nowUs - sentUs]);
      line.add(...answers.at(-1)!);
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
  const isShown = family.isUnreachable(host, packet) && (tellsOwnRefusal || !isTarget);
  return {
    address: family.format(source),
    isTarget,
    refusal: isShown ? family.errorText(packet) : undefined,
  };
}
