/** The help of a node's console while a line is typed. */
import { assistConsole } from "@wirelab/engine/devices/assist-console";
import { ASSISTED_KEYS, type Assistant } from "@wirelab/engine/terminal/assistant";
import type { Access } from "../edge/access.ts";
import { toLabNode } from "../run/lab-items.ts";
import type { ConsoleKey } from "../store/console/console.ts";
import { readItems } from "../store/contents/read.ts";

const LINE_ENDS = ["\r", "\n", "\x03"];

/** The first place of one of the keys in a text. */
const firstOf = (text: string, keys: readonly string[], from: number): number =>
  Math.min(...keys.map((key) => text.indexOf(key, from)).map((at) => (at < 0 ? text.length : at)));

/**
 * Splits a text so that each part has keys that need an assistant in its first line at most, and such a line begins a part: the lines
 * before it may change what the assistant knows.
 */
export function splitForAssistant(text: string): { readonly text: string; readonly isAssisted: boolean }[] {
  const asked = firstOf(text, ASSISTED_KEYS, 0);
  if (asked === text.length) return text === "" ? [] : [{ text, isAssisted: false }];
  const before = Math.max(...LINE_ENDS.map((end) => text.lastIndexOf(end, asked))) + 1;
  if (before > 0)
    return [{ text: text.slice(0, before), isAssisted: false }, ...splitForAssistant(text.slice(before))];
  const end = firstOf(text, LINE_ENDS, asked) + 1;
  return [{ text: text.slice(0, end), isAssisted: true }, ...splitForAssistant(text.slice(end))];
}

/** @returns undefined if the node is gone, or has a console without help. */
export async function findAssistant(
  access: Access,
  { project_id, node_id }: ConsoleKey,
): Promise<Assistant | undefined> {
  const { nodes } = await readItems(access, project_id, { nodes: [node_id] });
  const node = nodes.get(node_id);
  const spec = node && toLabNode(node).spec;
  return spec && assistConsole(spec, node.state?.device);
}
