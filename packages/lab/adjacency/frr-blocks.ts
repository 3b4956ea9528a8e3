/** Splits FRR's configuration in blocks. Indentation means nothing to FRR; the first words of a line do. */
import type { ConfigLine, Unread } from "./router-config.ts";

export interface Block {
  /** `interface eth1`, `router bgp 65001`; empty for lines at the top. */
  readonly head: string;
  readonly at: ConfigLine;
  readonly lines: readonly ConfigLine[];
}

const HEADS =
  /^(interface|router|vrf|route-map|key chain|line|bfd|nexthop-group|pbr-map|segment-routing|rpki|mpls ldp|l2vpn|pseudowire)\b/;
const ENDS = /^(exit|end|exit-vrf|quit)$/;
/** Lines of the top level: the block before them is over. */
const TOP =
  /^(no )?(hostname|domainname|log|service|frr|debug|enable|username|password|banner|agentx|zebra|access-list|ip (route|prefix-list|access-list|forwarding|community-list|as-path|nht|protocol|multicast-routing)|ipv6 (route|prefix-list|access-list|forwarding|nht|protocol)|bgp (as-path|community-list|extcommunity-list|large-community-list))\b/;

/** @param file its name in messages. */
export function splitBlocks(text: string, file: string): readonly Block[] {
  const blocks: { head: string; at: ConfigLine; lines: ConfigLine[] }[] = [];
  const open = (head: string, at: ConfigLine) => {
    const block = { head, at, lines: [], isIndented: false };
    blocks.push(block);
    return block as (typeof blocks)[number] & { isIndented: boolean };
  };
  let block = open("", { file, line: 1, text: "" });
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim().replaceAll(/\s+/g, " ");
    if (line === "" || line.startsWith("!") || line.startsWith("#")) continue;
    const at = { file, line: index + 1, text: line };
    const isIndented = /^\s/.test(raw);
    // `interface eth1 area 0` is a line of `router ospf6`.
    if (HEADS.test(line) && !/^interface \S+ area \S+$/.test(line)) block = open(line, at);
    else if (ENDS.test(line)) block = open("", at);
    else {
      if (TOP.test(line) || (block.isIndented && !isIndented)) block = open("", at);
      block.isIndented ||= isIndented;
      block.lines.push(at);
    }
  }
  return blocks;
}

const OF_BLOCKS =
  /^(ip ospf|ipv6 ospf6|ip router isis|ipv6 router isis|isis|neighbor|network \S+ area|passive-interface)\b/;

/** Lines about neighbours that stand in no block which is read. */
export function findStray(blocks: readonly Block[]): readonly Unread[] {
  return blocks
    .filter(({ head }) => !/^(interface|router|bfd)\b/.test(head))
    .flatMap(({ lines }) => lines)
    .filter(({ text }) => OF_BLOCKS.test(text))
    .map((at) => ({ at, why: "it belongs to no block that is read" }));
}
