/** Reads what FRR's configuration says about neighbours: frr.conf, or what `show running-config` prints. */

import { readFrrBgp } from "./frr-bgp-config.ts";
import { type Block, findStray, splitBlocks } from "./frr-blocks.ts";
import { readFrrOspf } from "./frr-ospf-config.ts";
import type { IsisRule, RouterConfig, Unread } from "./router-config.ts";

/** Protocols with neighbours that no rule is made of. */
const OTHERS = /^router (rip|ripng|eigrp|babel|openfabric)\b/;

/** @param file its name in messages. */
export function readFrrConfig(text: string, file: string): RouterConfig {
  const blocks = splitBlocks(text, file);
  const ospf = [readFrrOspf(blocks, 2), readFrrOspf(blocks, 3)];
  const bgp = readFrrBgp(blocks);
  const isis = readIsis(blocks);
  const others = blocks
    .filter(({ head }) => OTHERS.test(head))
    .map(({ at }): Unread => ({ at, why: "its neighbours are not read" }));
  return {
    ospf: ospf.flatMap(({ rules }) => rules),
    isis: isis.rules,
    bgp: bgp.rules,
    unread: [
      ...ospf.flatMap(({ unread }) => unread),
      ...isis.unread,
      ...bgp.unread,
      ...others,
      ...findStray(blocks),
    ],
  };
}

const LEVELS: Readonly<Record<string, readonly number[]>> = {
  "level-1": [1],
  "level-1-only": [1],
  "level-2-only": [2],
  "level-1-2": [1, 2],
};

interface IsisProcess {
  levels: readonly number[];
  area: string | undefined;
}

function readIsis(blocks: readonly Block[]): {
  readonly rules: readonly IsisRule[];
  readonly unread: readonly Unread[];
} {
  const unread: Unread[] = [];
  const processes = new Map<string, IsisProcess>();
  for (const { head, at, lines } of blocks) {
    const [, tag, vrf] = /^router isis (\S+)( vrf .*)?$/.exec(head) ?? [];
    if (tag === undefined) continue;
    if (vrf !== undefined) {
      unread.push({ at, why: "an instance of a VRF" });
      continue;
    }
    const process: IsisProcess = { levels: [1, 2], area: undefined };
    processes.set(tag, process);
    for (const { text } of lines) {
      process.levels = LEVELS[/^is-type (\S+)$/.exec(text)?.[1] ?? ""] ?? process.levels;
      // The system has the six bytes before the last.
      process.area ??= /^net (\S+?)(?:\.[0-9a-fA-F]{4}){3}\.[0-9a-fA-F]{2}$/.exec(text)?.[1];
    }
  }
  const rules = blocks.flatMap(({ head, lines }): IsisRule[] => {
    const [, port] = /^interface (\S+)$/.exec(head) ?? [];
    const line = lines.find(({ text }) => /^ip(v6)? router isis \S+$/.test(text));
    const process = processes.get(line?.text.split(" ").at(-1) ?? "");
    if (port === undefined || line === undefined || lines.some(({ text }) => text === "shutdown")) return [];
    if (process === undefined) {
      unread.push({ at: line, why: "there is no `router isis` of this name" });
      return [];
    }
    if (lines.some(({ text }) => text === "isis passive")) return [];
    const circuit =
      LEVELS[/^isis circuit-type (\S+)$/m.exec(lines.map(({ text }) => text).join("\n"))?.[1] ?? ""];
    const levels = process.levels.filter((level) => circuit?.includes(level) ?? true);
    return [{ port, at: line, levels, area: process.area }];
  });
  return { rules, unread };
}
