/** What the palette and the search find. Pure. */
import type { Link, Node } from "../api/types.ts";
import { linkName } from "../lab/link-name.ts";
import { COMMAND_ROWS, type CommandId, shownKeys } from "./table.ts";

export interface Item {
  readonly kind: "command" | "device" | "link";
  /** A command's, a node's or a link's. */
  readonly id: string;
  readonly name: string;
  /** Beside the name: keys of a command, the addresses of a device. */
  readonly note: string;
}

const ADDRESS =
  /\b(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?\b|(?<![\w:])(?:[\da-f]{1,4}:){2,7}(?::?[\da-f]{1,4}){0,6}(?:\/\d{1,3})?(?![\w:])|(?<![\w:])[\da-f]{1,4}(?::[\da-f]{1,4})*::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?(?:\/\d{1,3})?(?![\w:])/gi;

/** The addresses in the settings of a device, each once. */
export const addressesOf = ({ properties }: Pick<Node, "properties">): readonly string[] => [
  ...new Set(JSON.stringify(properties).replaceAll("\\n", " ").match(ADDRESS) ?? []),
];

export const commandItems = (can: (id: CommandId) => boolean): readonly Item[] =>
  COMMAND_ROWS.flatMap(([id, { name, keys = [], isKeyOnly }]) =>
    isKeyOnly || !can(id)
      ? []
      : [{ kind: "command" as const, id, name, note: keys.map(shownKeys).join(" ") }],
  );

/** `PC2` before `PC10`. */
const BY_NUMBER = new Intl.Collator(undefined, { numeric: true });

export const deviceItems = (nodes: Iterable<Node>): readonly Item[] =>
  [...nodes]
    .map((node) => ({
      kind: "device" as const,
      id: node.node_id,
      name: node.name,
      note: addressesOf(node).join(" "),
    }))
    .toSorted((a, b) => BY_NUMBER.compare(a.name, b.name));

export const linkItems = (links: Iterable<Link>, nodes: ReadonlyMap<string, Node>): readonly Item[] =>
  [...links].map((link) => ({
    kind: "link" as const,
    id: link.link_id,
    name: linkName(link, nodes),
    note: "",
  }));

/** How well an item fits; undefined if it does not. The start of the name is best, then the start of a word, then any place. */
function rank({ name, note }: Item, words: readonly string[]): number | undefined {
  const [own, all] = [name.toLowerCase(), `${name} ${note}`.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    if (!all.includes(word)) return undefined;
    if (own.startsWith(word)) continue;
    sum += ` ${own}`.includes(` ${word}`) ? 1 : own.includes(word) ? 2 : 3;
  }
  return sum;
}

/** @returns the items that have all words, the best first; all items without words. */
export function find(items: readonly Item[], text: string): readonly Item[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .flatMap((item) => {
      const at = rank(item, words);
      return at === undefined ? [] : [{ item, at }];
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
