/** Measures predicates of pcap-filter expressions: evaluations a second over the bench's packets, and compile times. */

import { spawnSync } from "node:child_process";
import { compileFilter, compileProgram } from "@wirelab/engine/bpf/index";
import type { ReplayFrame } from "@wirelab/engine/link/replay";
import { LARGE_EXPRESSIONS } from "../helpers/bpf/large-expressions.ts";
import { compareRate, median, medianSeconds, shortBy, timeSeconds } from "./engine-measure.ts";

const TARGET = { expression: "tcp port 80 and host 10.0.0.1", perSecond: 10_000_000 };
const COMPILATIONS = 15;
/** Target for any expression of up to 4 KB, including the first that a process compiles. */
const TARGET_COMPILE_MS = 50;
const COLD_COMPILATIONS = 5;
const COLD_COMPILE = new URL("../helpers/bpf/cold-compile.ts", import.meta.url).pathname;
/** Few enough to stay in the cache, because the bench measures predicates, not memory. */
const PACKETS = 2_000;
const PASSES = 200;

/** From a trivial expression to long ones. */
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

/** Stored, so that V8 cannot remove the evaluations as unused. */
let matched = 0;

export function benchExpressions(frames: readonly ReplayFrame[]): number {
  const packets = frames.slice(0, PACKETS);
  console.log("\nbpf expressions\n    evaluations/s   compile: first   median of 15");
  for (const expression of EXPRESSIONS) {
    const { firstMs, typicalMs } = compileTimes(expression);
    const perSecond = evaluationsPerSecond(expression, packets);
    const beside = expression === TARGET.expression ? `   ${compareWithTarget(perSecond, packets)}` : "";
    const rate = Math.round(perSecond).toLocaleString("en-US").padStart(17);
    console.log(
      `${rate} ${firstMs.toFixed(2).padStart(13)} ms ${typicalMs.toFixed(2).padStart(12)} ms   ${expression}${beside}`,
    );
  }
  benchLargeExpressions();
  return matched;
}

/** An empty filter measures the loop and the call. */
function compareWithTarget(perSecond: number, packets: readonly ReplayFrame[]): string {
  const emptyPerSecond = evaluationsPerSecond("", packets);
  const instructions = compileProgram(TARGET.expression).length;
  const empty = `an empty filter makes ${Math.round(emptyPerSecond).toLocaleString("en-US")}`;
  const limitedBy =
    emptyPerSecond < TARGET.perSecond
      ? `the machine, on which ${empty}`
      : `the ${instructions} instructions of the program (${empty})`;
  return compareRate(perSecond, { perSecond: TARGET.perSecond, limitedBy });
}

/** Milliseconds: wall time of a process's first compilation, its processor time, and the tenth compilation. */
interface CompileTimes {
  readonly coldMs: number;
  readonly coldCpuMs: number;
  readonly warmMs: number;
}

/** Compiles each expression in new processes: the first compilation runs code that V8 has not optimized yet. */
function benchLargeExpressions(): void {
  console.log(
    `\nexpressions of 4 KB, medians of ${COLD_COMPILATIONS} processes\n   first      (CPU)      tenth`,
  );
  const slowest = { name: "", coldMs: 0, coldCpuMs: 0 };
  for (const name of Object.keys(LARGE_EXPRESSIONS)) {
    const runs = Array.from({ length: COLD_COMPILATIONS }, () => compileInProcess(name));
    const medianOf = (field: keyof CompileTimes): number => median(runs.map((run) => run[field]));
    const times = {
      coldMs: medianOf("coldMs"),
      coldCpuMs: medianOf("coldCpuMs"),
      warmMs: medianOf("warmMs"),
    };
    const shown = Object.values(times).map((timeMs) => `${timeMs.toFixed(1).padStart(8)} ms`);
    console.log(`${shown.join("")}   ${compareCompileTimes(times)}   ${name}`);
    if (times.coldCpuMs > slowest.coldCpuMs) Object.assign(slowest, times, { name });
  }
  const [wall, cpu] = [slowest.coldMs, slowest.coldCpuMs].map((ms) => (ms / TARGET_COMPILE_MS).toFixed(2));
  console.log(
    `slowest by CPU: ${slowest.name}, target ${TARGET_COMPILE_MS} ms: ${wall} x, on a processor ${cpu} x`,
  );
}

function compareCompileTimes({ coldMs, coldCpuMs, warmMs }: CompileTimes): string {
  const wanted = `target ${TARGET_COMPILE_MS} ms: ${(coldMs / TARGET_COMPILE_MS).toFixed(2)} x`;
  if (coldMs <= TARGET_COMPILE_MS) return wanted;
  const limitedBy =
    coldCpuMs <= TARGET_COMPILE_MS
      ? `the machine, which was busy: it had a processor for ${coldCpuMs.toFixed(0)} ms`
      : `V8, which has not compiled the compiler yet: the tenth takes ${warmMs.toFixed(0)} ms`;
  return `${wanted}, ${shortBy(`${(coldMs - TARGET_COMPILE_MS).toFixed(0)} ms`, limitedBy)}`;
}

function compileInProcess(name: string): CompileTimes {
  const { stdout, stderr } = spawnSync(process.execPath, [COLD_COMPILE, name], { encoding: "utf8" });
  if (stdout === "") throw new Error(`${COLD_COMPILE} ${name}: ${stderr}`);
  return JSON.parse(stdout);
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
