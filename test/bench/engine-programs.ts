/** Compares `wirelab match` with tcpdump as whole processes: start, read, filter, write, exit. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { heading, median, shortBy, timeSeconds } from "./engine-measure.ts";

const ROUNDS = 5;
const CLI = new URL("../../packages/wirelab/wirelab.js", import.meta.url).pathname;
const FIXTURE = new URL("../fixtures/veth-lab.pcap", import.meta.url).pathname;

const EXPRESSIONS = [
  "icmp",
  "tcp port 80 and host 10.0.0.1",
  "port 80 or 443 or 22 or 53 or 5353 or 8080",
  "((ip[2:2] - ((ip[0]&0xf)<<2)) - ((tcp[12]&0xf0)>>2)) != 0 or icmp[icmptype] = icmp-echo",
];

export function benchPrograms(file: Uint8Array): void {
  heading(
    `wirelab match EXPR big.pcap /dev/null against tcpdump (target: 1.00 x or less; ${file.length / 1e6} MB)`,
  );
  if (spawnSync("tcpdump", ["--version"]).error !== undefined) {
    console.log("  skipped: tcpdump is not installed");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "wirelab-bench-"));
  try {
    const path = join(folder, "big.pcap");
    writeFileSync(path, file);
    const starts = alternate(matchWith("ip", FIXTURE), readWith("ip", FIXTURE));
    console.log(`  to start (a file of 473 packets) ${inWords(starts)}`);
    for (const expression of EXPRESSIONS) comparePrograms(expression, path, starts);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds of wirelab and of tcpdump. */
type Pair = readonly [wirelabMs: number, tcpdumpMs: number];

function inWords([wirelabMs, tcpdumpMs]: Pair): string {
  return `wirelab ${wirelabMs.toFixed(0).padStart(4)} ms   tcpdump ${tcpdumpMs.toFixed(0).padStart(4)} ms`;
}

function comparePrograms(expression: string, path: string, starts: Pair): void {
  const times = alternate(matchWith(expression, path), readWith(expression, path));
  const [wirelabMs, tcpdumpMs] = times;
  const ratio = wirelabMs / tcpdumpMs;
  const verdict =
    ratio <= 1 ? "" : `, ${shortBy(`${(wirelabMs - tcpdumpMs).toFixed(0)} ms`, limitOf(times, starts))}`;
  console.log(`  ${inWords(times)}   ${ratio.toFixed(2)} x${verdict}   ${expression}`);
}

/** Splits wirelab's extra time into process start and packet evaluation. */
function limitOf([wirelabMs, tcpdumpMs]: Pair, [wirelabStartMs, tcpdumpStartMs]: Pair): string {
  const startMs = wirelabStartMs - tcpdumpStartMs;
  const packetsMs = wirelabMs - tcpdumpMs - startMs;
  const start = `Node.js, which starts ${startMs.toFixed(0)} ms later`;
  return packetsMs <= 0 ? start : `${start}, and the packets, which take ${packetsMs.toFixed(0)} ms more`;
}

/** Runs the programs in turns, so that other load on the machine affects both. Returns medians in milliseconds. */
function alternate(first: () => void, second: () => void): Pair {
  first();
  second();
  const times = Array.from({ length: ROUNDS }, () => [timeSeconds(first), timeSeconds(second)] as const);
  return [1000 * median(times.map(([time]) => time)), 1000 * median(times.map(([, time]) => time))];
}

function matchWith(expression: string, path: string): () => void {
  return () => runProgram(process.execPath, [CLI, "match", expression, path, "/dev/null"]);
}

function readWith(expression: string, path: string): () => void {
  return () => runProgram("tcpdump", ["-r", path, "-w", "/dev/null", expression]);
}

function runProgram(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}
