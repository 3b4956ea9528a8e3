/** Names fields of parts in notices: `the place of PC1`. */
import type { Link, Node } from "../api/types.ts";
import type { EditKind, Lab } from "../lab/lab.ts";

/** Names of fields whose own name says less; the others are named as the interface names them. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  ...{ x: "place", y: "place", z: "layer", svg: "shape", status: "power", suspend: "suspension" },
  ...{ packet_loss: "loss", corrupt: "corruption", frequency_drop: "drops by counting" },
};

type Shown = Pick<Lab, "shown">;

const nodeName = (lab: Shown, id: string): string =>
  (lab.shown("node", id) as Partial<Node> | undefined)?.name ?? "a device";

const linkName = (lab: Shown, id: string): string => {
  const { nodes = [] } = (lab.shown("link", id) ?? {}) as Partial<Link>;
  return nodes.map(({ node_id }) => nodeName(lab, node_id)).join(" – ") || "a link";
};

const PART_WORDS: Readonly<Record<EditKind, (lab: Shown, id: string) => string>> = {
  node: nodeName,
  power: nodeName,
  link: linkName,
  impairments: linkName,
  drawing: () => "a drawing",
  tests: () => "the tests",
};

/** @param path of the field. */
export function fieldWords(lab: Shown, kind: EditKind, id: string, path: readonly string[]): string {
  const own = path.at(-1) ?? "";
  return `the ${FIELD_WORDS[own] ?? own.replaceAll("_", " ")} of ${PART_WORDS[kind](lab, id)}`;
}

const MOST_NAMED = 3;

/** `one, two and 3 more`; each name once. */
export function listWords(names: readonly string[]): string {
  const all = [...new Set(names)];
  const rest = all.length - MOST_NAMED;
  return all.slice(0, MOST_NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
