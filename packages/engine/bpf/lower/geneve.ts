/**
 * `geneve` tests for UDP to port 6081, version 0. All later tests of the expression apply to the frame inside.
 *
 *     outer Ethernet | IP | UDP | Geneve, 8 bytes + options | inner Ethernet ... or, by its protocol type, another packet
 *
 * Where the inner frame starts is known only at run time, so three scratch registers hold it. Source: RFC 8926.
 */
import { and, branch, or, type Statement, statement, type Test } from "../flow.ts";
import * as op from "../instructions.ts";
import { ETHERTYPE } from "../names/numbers.ts";
import type { LoweringContext } from "./context.ts";
import {
  type Base,
  constantTest,
  fieldEquals,
  IPV6_HEADER_BYTES,
  loadIpv4HeaderLength,
  loadVariablePart,
} from "./loads.ts";
import { isIpv4Port, isIpv6Port } from "./ports.ts";

const GENEVE_PORT = 6081;
const MAX_VNI = 0xffffff;
const UDP_HEADER_BYTES = 8;
const MAC_ADDRESSES_BYTES = 12;

/** `vni` is the virtual network that must match; null for any. */
export function lowerGeneve(context: LoweringContext, vni: number | null): Test {
  const tunnel = or(overIpv4(context, vni), overIpv6(context, vni));
  const statements = findInnerFrame(context);
  const found = constantTest(true);
  found.head.statements = [...statements, ...found.head.statements];
  context.insideGeneve = true;
  return and(tunnel, found);
}

function isGeneve(context: LoweringContext, udp: Test, base: Base, vni: number | null): Test {
  const versionZero = and(udp, fieldEquals(context, base, 8, op.B, 0, 0xc0));
  if (vni === null) return versionZero;
  if (vni > MAX_VNI) context.fail("bpf.bad-number", `a Geneve VNI is at most ${MAX_VNI}, not ${vni}`);
  return and(versionZero, fieldEquals(context, base, 12, op.W, vni << 8, 0xffffff00));
}

/** Also leaves the length of the IP header in A, past the constant part of the payload offset. Its final test is X = X. */
function overIpv4(context: LoweringContext, vni: number | null): Test {
  const udp = isIpv4Port(context, GENEVE_PORT, "udp", "dst");
  const geneve = isGeneve(context, udp, "ipv4 transport", vni);
  const statements = [...loadIpv4HeaderLength(context), statement(op.MISC | op.TXA)];
  return and(geneve, branch(statements, op.JEQ | op.X, 0));
}

function overIpv6(context: LoweringContext, vni: number | null): Test {
  const udp = isIpv6Port(context, GENEVE_PORT, "udp", "dst");
  const geneve = isGeneve(context, udp, "ipv6 transport", vni);
  const variable = loadVariablePart(context, context.payload);
  const length = statement(op.LD | op.IMM, IPV6_HEADER_BYTES);
  const statements = variable === null ? [length] : [variable, length, statement(op.ALU | op.ADD | op.X)];
  statements.push(statement(op.MISC | op.TAX));
  return and(geneve, branch(statements, op.JEQ | op.X, 0));
}

/** Computes the offsets of the type field, the inner link header and the inner payload from A, the offset of the UDP header. */
function findInnerFrame(context: LoweringContext): Statement[] {
  const toGeneve = context.payload.constant + context.networkOffset + UDP_HEADER_BYTES;
  const typeRegister = context.registers.allocate();
  const linkRegister = context.registers.allocate();
  context.typeField = { isVariable: true, constant: 0, register: typeRegister };
  context.pushLinkHeader("DLT_EN10MB", { isVariable: true, constant: 0, register: linkRegister });
  context.mayOptimize = false;
  const payloadRegister = context.registers.allocate();
  context.payload = { isVariable: true, constant: 0, register: payloadRegister };
  context.networkOffset = 0;

  const isEthernet = statement(op.JMP | op.JEQ | op.K, ETHERTYPE.transparentEthernet);
  const ethernet = statement(op.MISC | op.TXA);
  const done = statement(op.STX, payloadRegister);
  isEthernet.jt = ethernet;
  isEthernet.jf = done;
  return [
    statement(op.ALU | op.ADD | op.K, toGeneve),
    statement(op.MISC | op.TAX),
    statement(op.ALU | op.ADD | op.K, 2),
    statement(op.ST, typeRegister),
    statement(op.LD | op.IND | op.B, 0),
    statement(op.ALU | op.AND | op.K, 0x3f),
    statement(op.ALU | op.MUL | op.K, 4),
    statement(op.ALU | op.ADD | op.K, 8),
    statement(op.ALU | op.ADD | op.X),
    statement(op.ST, linkRegister),
    statement(op.LD | op.IND | op.H, 2),
    statement(op.LDX | op.MEM, linkRegister),
    isEthernet,
    ethernet,
    statement(op.ALU | op.ADD | op.K, MAC_ADDRESSES_BYTES),
    statement(op.ST, typeRegister),
    statement(op.ALU | op.ADD | op.K, 2),
    statement(op.MISC | op.TAX),
    done,
  ];
}
