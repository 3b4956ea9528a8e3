/** Predicates of pcap-filter expressions: evaluations a second over the bench's packets, and what compiling takes. */

import { compileFilter } from "../../functions/engine/bpf/index.ts";
import type { ReplayFrame } from "../../functions/engine/replay.ts";
import { median, medianSeconds, timeSeconds } from "./engine-measure.ts";

const TARGET = { expression: "tcp port 80 and host 10.0.0.1", perSecond: 10_000_000 };
const COMPILATIONS = 15;
/** Few enough to stay in the cache: this is about predicates, not about memory. */
const PACKETS = 2_000;
const PASSES = 200;

/** From trivial to ugly. */
const EXPRESSIONS = [
  "ip",
  "tcp",
  "host 10.0.0.1",
  TARGET.expression,
  "port 80 or 443 or 22 or 53 or 5353 or 8080",
  "vlan and ip and udp port 53",
  "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0 and not src and dst net 10.0.0.0/8",
  "ip6 host fe80::1 and tcp portrange 1-1023 and ip6[40:2] % 7 = 2",
  "((ip[2:2] - ((ip[0]&0xf)<<2)) - ((tcp[12]&0xf0)>>2)) != 0 or icmp[icmptype] = icmp-echo",
  "ip protochain 6 or geneve 5 and tcp port 80",
];

/** Kept, so that V8 cannot drop the evaluations. */
let matched = 0;

export function benchExpressions(frames: readonly ReplayFrame[]): number {
  const packets = frames.slice(0, PACKETS);
  console.log("\nbpf expressions\n    evaluations/s   compile: first   median of 15");
  for (const expression of EXPRESSIONS) {
    const { firstMs, typicalMs } = compileTimes(expression);
    const perSecond = evaluationsPerSecond(expression, packets);
    const ratio = perSecond / TARGET.perSecond;
    const beside =
      expression === TARGET.expression
        ? `   target ${TARGET.perSecond.toLocaleString("en-US")}: ${ratio.toFixed(2)} x${ratio < 1 ? ", SHORT" : ""}`
        : "";
    const rate = Math.round(perSecond).toLocaleString("en-US").padStart(17);
    console.log(
      `${rate} ${firstMs.toFixed(2).padStart(13)} ms ${typicalMs.toFixed(2).padStart(12)} ms   ${expression}${beside}`,
    );
  }
  return matched;
}

function evaluationsPerSecond(expression: string, packets: readonly ReplayFrame[]): number {
  const matches = compileFilter(expression);
  const seconds = medianSeconds(() => {
    for (let pass = 0; pass < PASSES; pass++) {
      for (const { data, originalLength } of packets) if (matches(data, originalLength)) matched += 1;
    }
  });
  return (PASSES * packets.length) / seconds;
}

function compileTimes(expression: string): { firstMs: number; typicalMs: number } {
  const times = Array.from(
    { length: COMPILATIONS },
    () => 1000 * timeSeconds(() => compileFilter(expression)),
  );
  return { firstMs: times[0]!, typicalMs: median(times) };
}
