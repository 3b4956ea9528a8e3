/** The tests of a lab file, for the lab that is built of it. */
import { isMap, isScalar, isSeq, type Pair, parseDocument, type Scalar, visit } from "yaml";

/** The lab itself has these. */
const KEYS_OF_LAB = ["name", "nodes", "links", "topology", "seed"];

/** Keys whose values name links, and keys whose maps have links as keys. */
const NAMES_LINKS: ReadonlySet<unknown> = new Set(["down", "up", "link", "filter", "budget"]);
const MAPS_LINKS: ReadonlySet<unknown> = new Set(["filters", "impairments"]);

/**
 * @param text of the file, which was read without a problem.
 * @param names by the name that the file gives a link: the one that it has as a link of a service, which keeps no names.
 * @returns the other keys with their comments; undefined if none is `run` or `expect`.
 */
export function testsIn(text: string, names: ReadonlyMap<string, string>): string | undefined {
  const document = parseDocument(text, { uniqueKeys: false });
  for (const key of KEYS_OF_LAB) document.delete(key);
  if (!document.has("run") && !document.has("expect")) return undefined;
  const rename = (node: unknown): void => {
    if (isScalar(node)) node.value = names.get(String(node.value)) ?? node.value;
    else if (isSeq(node)) for (const item of node.items) rename(item);
  };
  visit(document, {
    Pair(_, { key, value }: Pair) {
      const word = isScalar(key) ? (key as Scalar).value : undefined;
      if (NAMES_LINKS.has(word)) rename(value);
      else if (MAPS_LINKS.has(word) && isMap(value)) for (const item of value.items) rename(item.key);
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
