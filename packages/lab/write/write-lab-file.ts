/** Writes a lab file: nodes and links, with a line for each that is short enough, and the tests of the lab behind them as they are. */
import { Document, isCollection, isMap, type Node, visit } from "yaml";
import { parseYaml } from "../file/parse-yaml.ts";
import type { Topology } from "../read/read-lab.ts";

export interface WrittenLab {
  readonly name: string;
  readonly topology: Topology;
  /** The other keys of the file, as text: `run`, `expect`, `seed`. */
  readonly tests: string;
}

/** Longer maps and lists have a line for each entry. */
const MOST_CHARACTERS = 100;

/** @throws LabFileError for tests that are not YAML. */
export function writeLabFile({ name, topology, tests }: WrittenLab): string {
  const { nodes, links, warnings = [], seed } = topology;
  const own = new Set(Object.keys(parseYaml(tests, "tests").data as object));
  const head = {
    ...(!own.has("name") && { name }),
    ...(seed !== undefined && !own.has("seed") && { seed }),
    nodes: Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, shortNode(node)])),
    links: links.map(shortLink),
  };
  const document = new Document(head);
  fold(document);
  const remarks = warnings.map((warning) => `# ${warning}\n`).join("");
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  return `${remarks}${text}${tests.trim() === "" ? "" : `${tests.trimEnd()}\n`}`;
}

/** A PC with an address alone is the address; a node without settings is its type. */
function shortNode(node: unknown): unknown {
  const { type, ...others } = node as Readonly<Record<string, unknown>>;
  const keys = Object.keys(others);
  if (type !== "pc") return keys.length === 0 ? type : node;
  return keys.length === 1 && typeof others.ip === "string" ? others.ip : keys.length === 0 ? type : others;
}

function shortLink(link: unknown): unknown {
  const { link: ends, ...others } = link as Readonly<Record<string, unknown>>;
  return Object.keys(others).length === 0 ? ends : link;
}

/** Puts each map and list that is short enough on one line, and texts of several lines into blocks. */
function fold(document: Document): void {
  for (const key of ["nodes", "links"]) {
    const entries = document.get(key);
    if (!isCollection(entries)) continue;
    for (const item of entries.items)
      foldValue(isMap(entries) ? (item as { value: Node }).value : (item as Node));
  }
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && scalar.value.includes("\n")) scalar.type = "BLOCK_LITERAL";
    },
  });
}

function foldValue(value: unknown): void {
  if (!isCollection(value)) return;
  if (isShort(value)) {
    value.flow = true;
    return;
  }
  for (const item of value.items) foldValue(isMap(value) ? (item as { value: unknown }).value : item);
}

function isShort(value: Node): boolean {
  const text = JSON.stringify(value);
  return text.length <= MOST_CHARACTERS && !text.includes("\\n");
}
