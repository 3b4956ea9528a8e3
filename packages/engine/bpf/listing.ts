/** A program as text, in the notation of `tcpdump -d`: one instruction a line, `jt` and `jf` as line numbers. */
import * as op from "./instructions.ts";

export function formatProgram(program: op.BpfProgram): string {
  return program.map((instruction, line) => formatInstruction(instruction, line)).join("\n");
}

function formatInstruction(instruction: op.Instruction, line: number): string {
  const [name, operand] = describe(instruction, line);
  const label = `(${String(line).padStart(3, "0")})`;
  const isConditional = op.classOf(instruction.code) === op.JMP && op.operationOf(instruction.code) !== op.JA;
  if (!isConditional) return `${label} ${name.padEnd(8)} ${operand}`;
  const targets = `jt ${line + 1 + instruction.jt}\tjf ${line + 1 + instruction.jf}`;
  return `${label} ${name.padEnd(8)} ${operand.padEnd(16)} ${targets}`;
}

const ARITHMETIC: Readonly<Record<number, string>> = {
  [op.ADD]: "add",
  [op.SUB]: "sub",
  [op.MUL]: "mul",
  [op.DIV]: "div",
  [op.OR]: "or",
  [op.AND]: "and",
  [op.LSH]: "lsh",
  [op.RSH]: "rsh",
  [op.NEG]: "neg",
  [op.MOD]: "mod",
  [op.XOR]: "xor",
};

const JUMPS: Readonly<Record<number, string>> = {
  [op.JEQ]: "jeq",
  [op.JGT]: "jgt",
  [op.JGE]: "jge",
  [op.JSET]: "jset",
};

function describe({ code, k }: op.Instruction, line: number): [name: string, operand: string] {
  const operation = op.operationOf(code);
  const fromX = op.sourceOf(code) === op.X;
  switch (op.classOf(code)) {
    case op.RET:
      return ["ret", `#${k}`];
    case op.LD:
      return describeLoad("ld", code, k);
    case op.LDX:
      return describeLoad("ldx", code, k);
    case op.ST:
      return ["st", `M[${k}]`];
    case op.STX:
      return ["stx", `M[${k}]`];
    case op.ALU:
      if (operation === op.NEG) return ["neg", ""];
      return [ARITHMETIC[operation]!, fromX ? "x" : isBitwise(operation) ? hex(k) : `#${k | 0}`];
    case op.JMP:
      if (operation === op.JA) return ["ja", String((line + 1 + k) | 0)];
      return [JUMPS[operation]!, fromX ? "x" : hex(k)];
    default:
      return [code === (op.MISC | op.TXA) ? "txa" : "tax", ""];
  }
}

function isBitwise(operation: number): boolean {
  return operation === op.AND || operation === op.OR || operation === op.XOR;
}

function hex(k: number): string {
  return `#0x${k.toString(16)}`;
}

function describeLoad(register: "ld" | "ldx", code: number, k: number): [string, string] {
  const size = op.sizeOf(code);
  const suffix = size === op.H ? "h" : size === op.B ? "b" : "";
  switch (op.modeOf(code)) {
    case op.ABS:
      return [register + suffix, `[${k | 0}]`];
    case op.IND:
      return [register + suffix, `[x + ${k | 0}]`];
    case op.IMM:
      return [register, `#0x${k.toString(16)}`];
    case op.MEM:
      return [register, `M[${k}]`];
    case op.MSH:
      return [`${register}b`, `4*([${k | 0}]&0xf)`];
    default:
      return [register, "#pktlen"];
  }
}
