/** Adds expectations and events to the text of a lab's tests; comments and the order of the text stay. Pure. */
import { isMap, isSeq, parseDocument } from "yaml";

export interface Check {
  /** An entry of `expect`. */
  readonly expect: Readonly<Record<string, unknown>>;
  /** Entries of `run` that come before it. */
  readonly run?: readonly Readonly<Record<string, unknown>>[];
}

/** @returns the text as it is if it has the check. @throws Error if the text cannot be read, or has another value where the list belongs. */
export function withCheck(text: string, { expect, run = [] }: Check): string {
  const document = parseDocument(text.trim() === "" ? "{}" : text, { uniqueKeys: false });
  if (document.errors.length > 0)
    throw new Error(`The tests cannot be read, so nothing was added: ${document.errors[0]!.message}`);
  let isChanged = false;
  const append = (key: "run" | "expect", entries: readonly object[]) => {
    if (entries.length === 0) return;
    if (document.get(key) == null) document.set(key, document.createNode([]));
    const list = document.get(key);
    if (!isSeq(list)) throw new Error(`The tests have no list as ${key}, so nothing was added.`);
    const known = new Set(list.items.map((item) => JSON.stringify(item)));
    for (const entry of entries) {
      const item = document.createNode(entry, { flow: Object.keys(entry).length > 1 });
      if (known.has(JSON.stringify(item))) continue;
      list.add(item);
      isChanged = true;
    }
  };
  append("run", run);
  append("expect", [expect]);
  if (!isChanged) return text;
  if (isMap(document.contents)) document.contents.flow = false;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
