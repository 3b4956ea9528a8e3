/**
 * `vlan`, `mpls` and `pppoes` test for a layer and move all later tests of the expression behind it. This applies to the rest
 * of the text, also after `or` and inside `not`: `vlan or ip` looks for IP behind a tag that may be absent.
 */
import { and, or, type Test } from "../flow.ts";
import { B, H, W } from "../instructions.ts";
import { ETHERTYPE, PPP_PROTOCOL } from "../names/numbers.ts";
import type { Encapsulation } from "../syntax.ts";
import type { LoweringContext } from "./context.ts";
import { lowerGeneve } from "./geneve.ts";
import { carries } from "./link-protocol.ts";
import { fieldEquals } from "./loads.ts";

const VLAN_TAG_BYTES = 4;
const MPLS_LABEL_BYTES = 4;
const PPPOE_HEADER_BYTES = 6;
const PPP_PROTOCOL_BYTES = 2;
const MAX_VLAN_ID = 0xfff;
const MAX_MPLS_LABEL = 0xfffff;
const MAX_PPPOE_SESSION = 0xffff;

/** `number` is the VLAN id, label, session or tunnel that must match; null for any. */
export function lowerEncapsulation(
  context: LoweringContext,
  layer: Encapsulation,
  number: number | null,
): Test {
  switch (layer) {
    case "vlan":
      return lowerVlan(context, number);
    case "mpls":
      return lowerMpls(context, number);
    case "pppoes":
      return lowerPppoeSession(context, number);
    case "geneve":
      return lowerGeneve(context, number);
  }
}

function lowerVlan(context: LoweringContext, id: number | null): Test {
  if (context.mplsDepth > 0) context.fail("bpf.unsupported", '"vlan" cannot be tested after "mpls"');
  if (context.linkType !== "DLT_EN10MB")
    context.fail("bpf.unsupported", `there is no VLAN tag on ${context.linkName}`);
  const customerOrService = or(carries(context, ETHERTYPE.vlan), carries(context, ETHERTYPE.serviceVlan));
  let test = or(customerOrService, carries(context, ETHERTYPE.oldServiceVlan));
  if (id !== null) {
    requireAtMost(context, "a VLAN id", id, MAX_VLAN_ID);
    test = and(test, fieldEquals(context, "network", 0, H, id, MAX_VLAN_ID));
  }
  context.payload.constant += VLAN_TAG_BYTES;
  context.typeField.constant += VLAN_TAG_BYTES;
  return test;
}

function lowerMpls(context: LoweringContext, label: number | null): Test {
  let test = isMpls(context);
  if (label !== null) {
    requireAtMost(context, "an MPLS label", label, MAX_MPLS_LABEL);
    test = and(test, fieldEquals(context, "network", 0, W, label << 12, 0xfffff000));
  }
  context.networkOffset += MPLS_LABEL_BYTES;
  context.networkOffsetNoSnap += MPLS_LABEL_BYTES;
  context.mplsDepth += 1;
  return test;
}

/** Tests for the first label by the link's type field, for a further one by the bottom-of-stack bit of the previous label. */
function isMpls(context: LoweringContext): Test {
  if (context.mplsDepth > 0) return fieldEquals(context, "previous mpls label", 2, B, 0, 0x01);
  switch (context.linkType) {
    case "DLT_EN10MB":
    case "DLT_C_HDLC":
      return carries(context, ETHERTYPE.mpls);
    case "DLT_PPP":
      return carries(context, PPP_PROTOCOL.mpls);
    default:
      return context.fail("bpf.unsupported", `MPLS cannot be tested on ${context.linkName}`);
  }
}

/** A PPPoE session frame holds PPP without its address and control bytes: only the protocol field. RFC 2516. */
function lowerPppoeSession(context: LoweringContext, session: number | null): Test {
  let test = carries(context, ETHERTYPE.pppoeSession);
  if (session !== null) {
    requireAtMost(context, "a PPPoE session", session, MAX_PPPOE_SESSION);
    test = and(test, fieldEquals(context, "network", 0, W, session, MAX_PPPOE_SESSION));
  }
  const { isVariable, constant, register } = context.payload;
  const header = { isVariable, constant: constant + context.networkOffset + PPPOE_HEADER_BYTES, register };
  context.pushLinkHeader("DLT_PPP", header);
  context.typeField = { ...header };
  context.payload.constant = header.constant + PPP_PROTOCOL_BYTES;
  context.networkOffset = 0;
  context.networkOffsetNoSnap = 0;
  return test;
}

export function requireAtMost(context: LoweringContext, what: string, value: number, max: number): void {
  if (value > max) context.fail("bpf.bad-number", `${what} is at most ${max}, not ${value}`);
}
