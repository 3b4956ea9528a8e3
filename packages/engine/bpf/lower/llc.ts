/** `llc` and its kinds: 802.2 information, supervisory and unnumbered frames. Source: ISO/IEC 8802-2, section 5.4. */
import { and, branch, not, type Test } from "../flow.ts";
import { B, H, JSET, K } from "../instructions.ts";
import type { LoweringContext } from "./context.ts";
import { isLlcFrame } from "./link-protocol.ts";
import { constantTest, fieldEquals, load } from "./loads.ts";

const SUPERVISORY: ReadonlyMap<string, number> = new Map([
  ["rr", 0x01],
  ["rnr", 0x05],
  ["rej", 0x09],
]);

const UNNUMBERED: ReadonlyMap<string, number> = new Map([
  ["ui", 0x03],
  ["ua", 0x63],
  ["disc", 0x43],
  ["dm", 0x0f],
  ["sabme", 0x6f],
  ["test", 0xe3],
  ["xid", 0xaf],
  ["frmr", 0x87],
]);

/** Kinds are case-insensitive, unlike every other word of the language. */
export function lowerLlc(context: LoweringContext, type: string | null): Test {
  if (type === null) return isLlc(context);
  const name = type.toLowerCase();
  if (name === "i") {
    const llc = isLlc(context);
    return and(llc, not(branch(load(context, "llc", 2, B), JSET | K, 0x01)));
  }
  if (name === "s") return hasControl(context, 0x01, 0x03);
  if (name === "u") return hasControl(context, 0x03, 0x03);
  const supervisory = SUPERVISORY.get(name);
  if (supervisory !== undefined) return hasControl(context, supervisory, 0x0f);
  const unnumbered = UNNUMBERED.get(name);
  if (unnumbered !== undefined) return hasControl(context, unnumbered, 0xef);
  return context.fail("bpf.unknown-name", `"${type}" is not a kind of LLC frame`);
}

/** The control field, under a mask. */
function hasControl(context: LoweringContext, value: number, mask: number): Test {
  const llc = isLlc(context);
  return and(llc, fieldEquals(context, "llc", 2, B, value, mask));
}

function isLlc(context: LoweringContext): Test {
  switch (context.linkType) {
    case "DLT_EN10MB": {
      const length = isLlcFrame(context);
      return and(length, not(fieldEquals(context, "llc", 0, H, 0xffff)));
    }
    case "DLT_ATM_RFC1483":
      return constantTest(true);
    default:
      return context.fail("bpf.unsupported", `there is no LLC header on ${context.linkName}`);
  }
}
