/** Connections as plain JSON data, in short form: a router's state has up to 1,024 of them. */
import { formatIpv6, parseIpv6 } from "../../../../wire/ipv6-address.ts";
import type { Connection } from "./connections.ts";
import type { TcpPhase } from "./tcp-phase.ts";
import { inverse, type Tuple } from "./tuple.ts";

type SavedTuple4 = readonly [source: number, sourcePort: number, target: number, targetPort: number];

/** The tuple of the responses is absent if it is that of the first packet, turned round. */
export type SavedConnection4 = readonly [
  protocol: number,
  phase: number,
  fins: number,
  isReplied: 0 | 1,
  expiresUs: number,
  original: SavedTuple4,
  reply?: SavedTuple4,
];

export type SavedConnection6 = readonly [
  protocol: number,
  phase: number,
  fins: number,
  isReplied: 0 | 1,
  expiresUs: number,
  source: string,
  sourcePort: number,
  target: string,
  targetPort: number,
];

const toTuple4 = ({ source, sourcePort, target, targetPort }: Tuple<number>): SavedTuple4 => [
  source,
  sourcePort,
  target,
  targetPort,
];

const fromTuple4 = (
  protocol: number,
  [source, sourcePort, target, targetPort]: SavedTuple4,
): Tuple<number> => ({
  protocol,
  source,
  sourcePort,
  target,
  targetPort,
});

export function toSaved4({
  original,
  reply,
  phase,
  fins,
  isReplied,
  expiresUs,
}: Connection<number>): SavedConnection4 {
  const forth = toTuple4(original);
  const back = toTuple4(reply);
  const isPlain = forth.every((value, index) => value === back[(index + 2) % 4]);
  const facts = [original.protocol, phase, fins, isReplied ? 1 : 0, expiresUs, forth] as const;
  return isPlain ? facts : [...facts, back];
}

export function fromSaved4([
  protocol,
  phase,
  fins,
  isReplied,
  expiresUs,
  forth,
  back,
]: SavedConnection4): Connection<number> {
  const original = fromTuple4(protocol, forth);
  const reply = back ? fromTuple4(protocol, back) : inverse(original);
  return { original, reply, phase: phase as TcpPhase, fins, isReplied: isReplied === 1, expiresUs };
}

export const toSaved6 = ({
  original,
  phase,
  fins,
  isReplied,
  expiresUs,
}: Connection<bigint>): SavedConnection6 => [
  original.protocol,
  phase,
  fins,
  isReplied ? 1 : 0,
  expiresUs,
  formatIpv6(original.source),
  original.sourcePort,
  formatIpv6(original.target),
  original.targetPort,
];

export function fromSaved6(saved: SavedConnection6): Connection<bigint> {
  const [protocol, phase, fins, isReplied, expiresUs, source, sourcePort, target, targetPort] = saved;
  const original = {
    protocol,
    source: parseIpv6(source)!,
    sourcePort,
    target: parseIpv6(target)!,
    targetPort,
  };
  return {
    original,
    reply: inverse(original),
    phase: phase as TcpPhase,
    fins,
    isReplied: isReplied === 1,
    expiresUs,
  };
}
