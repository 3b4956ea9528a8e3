/**
 * node test/bench/bpf.ts - evaluations a second of ten filter expressions, as generated code, closures and the
 * interpreter, and compile times. Medians of five rounds over the oracle tests' frames that are not truncated.
 *
 * Why generated code: composed closures (below, the same program, one closure per instruction) pay a call per
 * instruction that V8 cannot inline, as every program shares the same closure code; a generated function is one piece.
 */

import {
  type BpfProgram,
  compileFilter,
  compileProgram,
  interpret,
  type PacketPredicate,
} from "@wirelab/engine/bpf/index";
import * as op from "../../packages/engine/bpf/instructions.ts";
import { packetsOf } from "../helpers/bpf/frames.ts";

const ROUNDS = 5;
const ROUND_MS = 150;
const TARGET = { expression: "tcp port 80 and host 10.0.0.1", perSecond: 10_000_000 };

const EXPRESSIONS = [
  "",
  "ip",
  "tcp",
  "host 10.0.0.1",
  TARGET.expression,
  "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0 and not src and dst net 10.0.0.0/8",
  "port 80 or 443 or 22 or 53 or 5353 or 8080",
  "vlan and ip and udp port 53",
  "ip6 host fe80::1 and tcp portrange 1-1023 and ip6[40:2] % 7 = 2",
  "((ip[2:2] - ((ip[0]&0xf)<<2)) - ((tcp[12]&0xf0)>>2)) != 0 or icmp[icmptype] = icmp-echo or (arp and arp[7] = 1)",
  "ip protochain 6 or geneve 5 and tcp port 80",
];

type Step = (machine: Machine) => boolean;
type Machine = { packet: Uint8Array; wireLength: number; a: number; x: number; memory: Uint32Array };

/** The rejected alternative: every instruction is a closure that ends in a call of the next. */
function composeClosures(program: BpfProgram): PacketPredicate {
  const steps: Step[] = [];
  for (let at = program.length - 1; at >= 0; at -= 1) steps[at] = composeStep(program[at]!, at, steps);
  const machine: Machine = {
    packet: new Uint8Array(),
    wireLength: 0,
    a: 0,
    x: 0,
    memory: new Uint32Array(16),
  };
  return (packet, wireLength) => {
    machine.packet = packet;
    machine.wireLength = wireLength;
    machine.a = 0;
    machine.x = 0;
    return steps[0]!(machine);
  };
}

function composeStep({ code, jt, jf, k }: op.Instruction, at: number, steps: Step[]): Step {
  const kind = op.classOf(code);
  if (kind === op.RET) return () => k !== 0;
  if (kind === op.JMP) {
    if (op.operationOf(code) === op.JA) return (machine) => steps[at + 1 + (k | 0)]!(machine);
    const whenTrue = steps[at + 1 + jt]!;
    const whenFalse = steps[at + 1 + jf]!;
    const other = op.sourceOf(code) === op.X ? (machine: Machine) => machine.x : null;
    switch (op.operationOf(code)) {
      case op.JEQ:
        if (other === null) return (machine) => (machine.a === k ? whenTrue : whenFalse)(machine);
        return (machine) => (machine.a === other(machine) ? whenTrue : whenFalse)(machine);
      case op.JGT:
        return (machine) => (machine.a > (other?.(machine) ?? k) ? whenTrue : whenFalse)(machine);
      case op.JGE:
        return (machine) => (machine.a >= (other?.(machine) ?? k) ? whenTrue : whenFalse)(machine);
      default:
        return (machine) => ((machine.a & k) !== 0 ? whenTrue : whenFalse)(machine);
    }
  }
  const next = steps[at + 1]!;
  if (kind === op.LD && (op.modeOf(code) === op.ABS || op.modeOf(code) === op.IND)) {
    const bytes = op.bytesOf(op.sizeOf(code));
    const indirect = op.modeOf(code) === op.IND;
    return (machine) => {
      const start = indirect ? machine.x + k : k;
      if (start + bytes > machine.packet.length) return false;
      let value = 0;
      for (let i = 0; i < bytes; i += 1) value = value * 256 + machine.packet[start + i]!;
      machine.a = value;
      return next(machine);
    };
  }
  if (kind === op.LDX && op.modeOf(code) === op.MSH) {
    return (machine) => {
      if (k >= machine.packet.length) return false;
      machine.x = (machine.packet[k]! & 0xf) * 4;
      return next(machine);
    };
  }
  return composePlain(code, k, next);
}

function composePlain(code: number, k: number, next: Step): Step {
  const one = interpretOne(code, k);
  return (machine) => one(machine) && next(machine);
}

/** Makes a step of a transfer or arithmetic instruction, which are few; the step returns false to reject the packet. */
function interpretOne(code: number, k: number): Step {
  const kind = op.classOf(code);
  const mode = op.modeOf(code);
  return (machine) => {
    if (kind === op.LD)
      machine.a = mode === op.MEM ? machine.memory[k]! : mode === op.LEN ? machine.wireLength : k;
    else if (kind === op.LDX) machine.x = mode === op.MEM ? machine.memory[k]! : k;
    else if (kind === op.ST) machine.memory[k] = machine.a;
    else if (kind === op.STX) machine.memory[k] = machine.x;
    else if (code === (op.MISC | op.TAX)) machine.x = machine.a;
    else if (kind === op.MISC) machine.a = machine.x;
    else return computeOne(machine, op.operationOf(code), op.sourceOf(code) === op.X ? machine.x : k);
    return true;
  };
}

function computeOne(machine: Machine, operation: number, b: number): boolean {
  const a = machine.a;
  if (b === 0 && (operation === op.DIV || operation === op.MOD)) return false;
  if (operation === op.ADD) machine.a = (a + b) >>> 0;
  else if (operation === op.SUB) machine.a = (a - b) >>> 0;
  else if (operation === op.AND) machine.a = (a & b) >>> 0;
  else if (operation === op.LSH) machine.a = b < 32 ? (a << b) >>> 0 : 0;
  else if (operation === op.RSH) machine.a = b < 32 ? a >>> b : 0;
  else if (operation === op.MOD) machine.a = a % b;
  else if (operation === op.MUL) machine.a = Math.imul(a, b) >>> 0;
  else throw new RangeError(`operation ${operation} is not in the bench`);
  return true;
}

const packets = packetsOf("DLT_EN10MB").filter(({ bytes, wireLength }) => bytes.length === wireLength);

function evaluationsPerSecond(predicate: PacketPredicate): number {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let evaluations = 0;
    const start = performance.now();
    while (performance.now() - start < ROUND_MS) {
      for (let repeat = 0; repeat < 50; repeat += 1) {
        for (const { bytes, wireLength } of packets) if (predicate(bytes, wireLength)) matched += 1;
      }
      evaluations += 50 * packets.length;
    }
    rounds.push((evaluations * 1000) / (performance.now() - start));
  }
  return median(rounds);
}

/** Stored, so that V8 cannot remove the evaluations as unused. */
let matched = 0;

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

const millions = (value: number): string => `${(value / 1e6).toFixed(1).padStart(7)} M/s`;

function compileMs(expression: string): { first: number; median: number } {
  const times: number[] = [];
  for (let i = 0; i < 15; i += 1) {
    const start = performance.now();
    compileFilter(expression)(packets[0]!.bytes, 64);
    times.push(performance.now() - start);
  }
  const first = times[0]!;
  return { first, median: median(times) };
}

function benchEvaluations(): void {
  console.log(
    `evaluations a second over ${packets.length} frames of ${new Set(packets.map((p) => p.wireLength)).size} lengths`,
  );
  console.log("  generated    closures   interpreter  instructions  expression");
  for (const expression of EXPRESSIONS) {
    const program = compileProgram(expression);
    const makers = [compileFilter(expression), safeClosures(program), interpret(program)];
    const speeds = makers.map((predicate) =>
      predicate === null ? "        -  " : millions(evaluationsPerSecond(predicate)),
    );
    console.log(
      `${speeds.join(" ")}  ${String(program.length).padStart(6)}        ${expression || "(empty)"}`,
    );
  }
  const reached = evaluationsPerSecond(compileFilter(TARGET.expression));
  console.log(
    `target: ${TARGET.expression}: ${millions(reached).trim()}, ${(reached / TARGET.perSecond).toFixed(1)} x 10 M/s`,
  );
}

/** Returns null for a program with a loop, which cannot be composed from its end. */
function safeClosures(program: BpfProgram): PacketPredicate | null {
  const loops = program.some(({ code, k }) => code === (op.JMP | op.JA) && (k | 0) < 0);
  return loops ? null : composeClosures(program);
}

const LARGE: Readonly<Record<string, string>> = {
  "4 KB of ports": Array.from({ length: 330 }, (_, i) => `port ${i + 1}`).join(" or "),
  "4 KB of port ranges": Array.from({ length: 180 }, (_, i) => `portrange ${i + 1}-${i + 9}`).join(" or "),
  "4 KB of hosts": Array.from({ length: 215 }, (_, i) => `host 10.0.${i}.1`).join(" or "),
  "4 KB of negated ports": Array.from({ length: 240 }, (_, i) => `not port ${i + 1}`).join(" and "),
  "4 KB of TCP bytes": Array.from({ length: 230 }, (_, i) => `tcp[${i}] = ${i}`).join(" and "),
  "4 KB of IS-IS": Array.from({ length: 680 }, (_, i) => `l${1 + (i % 2)}`).join(" or "),
  "4 KB of sums": `${"1+".repeat(2040)}1 = 2041`,
  "4 KB of protocols": Array.from({ length: 580 }, (_, i) => (i % 3 === 0 ? "tcp" : "udp")).join(" or "),
};

function benchCompile(): void {
  console.log("\ncompile times, first and median of 15 (with one evaluation)");
  for (const expression of [...EXPRESSIONS.slice(1), ...Object.values(LARGE)]) {
    const name = Object.entries(LARGE).find(([, text]) => text === expression)?.[0] ?? expression;
    const { first, median: typical } = compileMs(expression);
    console.log(`${first.toFixed(2).padStart(8)} ms ${typical.toFixed(2).padStart(8)} ms  ${name}`);
  }
}

benchEvaluations();
benchCompile();
if (matched < 0) console.log(matched);
