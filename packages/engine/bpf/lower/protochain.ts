/**
 * `protochain N`: protocol N anywhere in the chain of IPv4 or IPv6 headers, found by a loop inside one block:
 *
 *     A = next header, X = offset of the header it names
 *     again:  A = N or A = 59 (none)?       -> end
 *             IPv6 extension header?        -> A = its next header, X += its length, again
 *             authentication header?        -> A = its next header, X = its length, again
 *     end:    A = N?
 *
 * IPv6 extensions move X forwards. After an authentication header, however, libpcap sets X to that header's length instead of
 * adding it, so a packet can make the loop endless; the interpreter limits the rounds.
 */
import { and, equals, or, type Statement, statement, type Test } from "../flow.ts";
import * as op from "../instructions.ts";
import { ETHERTYPE, IP_PROTOCOL } from "../names/numbers.ts";
import type { Protocol } from "../tokens.ts";
import type { LoweringContext } from "./context.ts";
import { carries } from "./link-protocol.ts";
import { IPV6_HEADER_BYTES } from "./loads.ts";

const NO_NEXT_HEADER = 59;
/** Hop-by-hop, destination options, routing and fragment: RFC 8200. All but the last are measured in 8-byte units. */
const EXTENSION_HEADERS = [0, 60, 43, IP_PROTOCOL.fragment];

export function hasProtocolInChain(context: LoweringContext, number: number, within: Protocol | null): Test {
  const register = context.registers.allocate();
  switch (within) {
    case null: {
      // The outer register stays taken, as in libpcap.
      const v4 = hasProtocolInChain(context, number, "ip");
      return or(v4, hasProtocolInChain(context, number, "ip6"));
    }
    case "ip":
    case "ip6":
      break;
    default:
      context.fail("bpf.bad-qualifier", `"protochain" cannot follow "${within}"`);
  }
  if (context.payload.isVariable) {
    context.fail("bpf.unsupported", '"protochain" needs headers at a fixed offset');
  }
  context.mayOptimize = false;
  const carried = carries(context, within === "ip" ? ETHERTYPE.ip : ETHERTYPE.ip6);
  const walk = within === "ip" ? walkIpv4(context, number, register) : walkIpv6(context, number, register);
  const test = equals(walk, number);
  context.registers.free(register);
  return and(carried, test);
}

function jumpIf(value: number): Statement {
  return statement(op.JMP | op.JEQ | op.K, value);
}

/** A no-op statement as the target of a jump. */
function landing(): Statement {
  return statement(op.ALU | op.ADD | op.K, 0);
}

function walkIpv4(context: LoweringContext, number: number, register: number): Statement[] {
  const header = context.payload.constant + context.networkOffset;
  const start = [statement(op.LD | op.ABS | op.B, header + 9), statement(op.LDX | op.MSH | op.B, header)];
  const notEnd = landing();
  return closeLoop(start, number, header, register, notEnd, [notEnd], null);
}

function walkIpv6(context: LoweringContext, number: number, register: number): Statement[] {
  const header = context.payload.constant + context.networkOffset;
  const start = [statement(op.LD | op.ABS | op.B, header + 6), statement(op.LDX | op.IMM, IPV6_HEADER_BYTES)];
  const tests = EXTENSION_HEADERS.map(jumpIf);
  const skip = [
    statement(op.LD | op.IND | op.B, header),
    statement(op.ST, register),
    statement(op.LD | op.IND | op.B, header + 1),
    statement(op.ALU | op.ADD | op.K, 1),
    statement(op.ALU | op.MUL | op.K, 8),
    statement(op.ALU | op.ADD | op.X),
    statement(op.MISC | op.TAX),
    statement(op.LD | op.MEM, register),
  ];
  for (const [index, test] of tests.entries()) {
    test.jt = skip[0]!;
    test.jf = tests[index + 1] ?? null;
  }
  // Two loop tests precede these statements, and the jump back follows them.
  const back = jumpBack(2 + tests.length + skip.length);
  return closeLoop(start, number, header, register, tests[0]!, [...tests, ...skip, back], tests.at(-1)!);
}

/** `distance`: statements between the loop's first one and the jump. */
function jumpBack(distance: number): Statement {
  return statement(op.JMP | op.JA, -distance - 1);
}

/** Builds the loop around `middle`: the two tests before it, the authentication header after it. */
function closeLoop(
  start: Statement[],
  number: number,
  header: number,
  register: number,
  afterTests: Statement,
  middle: Statement[],
  lastOfMiddle: Statement | null,
): Statement[] {
  const found = jumpIf(number);
  const none = jumpIf(NO_NEXT_HEADER);
  const isAuthentication = jumpIf(IP_PROTOCOL.ah);
  const authentication = [
    statement(op.MISC | op.TXA),
    statement(op.LD | op.IND | op.B, header),
    statement(op.ST, register),
    statement(op.MISC | op.TXA),
    statement(op.ALU | op.ADD | op.K, 1),
    statement(op.MISC | op.TAX),
    statement(op.LD | op.IND | op.B, header),
    statement(op.ALU | op.ADD | op.K, 2),
    statement(op.ALU | op.MUL | op.K, 4),
    statement(op.MISC | op.TAX),
    statement(op.LD | op.MEM, register),
  ];
  const end = landing();
  found.jt = end;
  found.jf = none;
  none.jt = end;
  none.jf = afterTests;
  if (lastOfMiddle !== null) lastOfMiddle.jf = isAuthentication;
  isAuthentication.jt = authentication[0]!;
  isAuthentication.jf = end;
  const back = jumpBack(2 + middle.length + 1 + authentication.length);
  return [...start, found, none, ...middle, isAuthentication, ...authentication, back, end];
}
