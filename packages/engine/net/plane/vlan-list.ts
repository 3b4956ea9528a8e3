/** Lists of VLANs as text: `10,20,30-39`. */
import { MAX_VLAN } from "../address/network-kinds.ts";

/** @returns the VLANs, ascending and each once; null if the text is no such list. */
export function parseVlans(text: string): number[] | null {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [, from, to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(first >= 1 && first <= last && last <= MAX_VLAN)) return null;
    for (let vlan = first; vlan <= last; vlan++) found.add(vlan);
  }
  return [...found].toSorted((a, b) => a - b);
}

/** @param vlans ascending. */
export function formatVlans(vlans: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const vlan of vlans) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last === vlan - 1) range.last = vlan;
    else ranges.push({ first: vlan, last: vlan });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(",");
}
