/** `show ip nat translations` */

import { formatTable } from "../../../../base/text-table.ts";
import type { Connection } from "../firewall/connections.ts";
import type { Firewall } from "../firewall/firewall.ts";
import { protocolName } from "../firewall/rule.ts";
import { sourceText, targetText } from "../firewall/show.ts";
import { inverse } from "../firewall/tuple.ts";
import type { NatSpec } from "./settings.ts";

/** Inside and outside, each as seen from inside (local) and from outside (global). */
const HEADINGS = [
  "Protocol",
  "Inside global",
  "Inside local",
  "Outside local",
  "Outside global",
  "Expires in",
];

export function showTranslations(
  firewall: Firewall,
  nat: NatSpec | undefined,
  nowUs: number,
): readonly string[] {
  const fixed = (nat?.static ?? []).map(({ inside, outside }) => ["-", outside, inside, "-", "-", "-"]);
  const rows = firewall.listTranslated().map((each) => row(each, nowUs));
  return rows.length + fixed.length === 0 ? ["No translations"] : formatTable(HEADINGS, [...fixed, ...rows]);
}

function row({ original, reply, expiresUs }: Connection<number>, nowUs: number): string[] {
  const back = inverse(reply);
  const isFromInside = original.source !== reply.target || original.sourcePort !== reply.targetPort;
  const [global, local] = isFromInside
    ? [sourceText(back), sourceText(original)]
    : [targetText(original), targetText(back)];
  const [far, farther] = isFromInside
    ? [targetText(original), targetText(back)]
    : [sourceText(original), sourceText(back)];
  const left = `${Math.ceil((expiresUs - nowUs) / 1_000_000)} s`;
  return [protocolName("ipv4", original.protocol), global, local, far, farther, left];
}
