/** `show ip prefix-list` and `show route-map`: lists and maps as they are configured. */
import type { ListType } from "../../../../routing/policy/lists.ts";
import type { Parts } from "../base/parts.ts";
import { headOf } from "./list-heads.ts";
import { entryLines } from "./settings.ts";

/** @param types of the lists. */
export const showLists =
  (...types: readonly ListType[]) =>
  ({ core }: Parts, [name]: readonly string[]): readonly string[] => {
    const found = (core.running.routeLists ?? []).filter(
      (each) => types.includes(each.type) && (name === undefined || each.name === name),
    );
    if (found.length === 0) return [name === undefined ? "No lists" : `There is no list ${name}`];
    return found.flatMap((each) => [
      `${headOf(each)}: ${each.rules.length} entries`,
      ...(each.description === undefined ? [] : [`   Description: ${each.description}`]),
      ...each.rules.map((rule) => `   ${rule}`),
    ]);
  };

export function showRouteMaps({ core }: Parts, [name]: readonly string[]): readonly string[] {
  const found = (core.running.routeMaps ?? []).filter((each) => name === undefined || each.name === name);
  if (found.length === 0) return [name === undefined ? "No route maps" : `There is no route-map ${name}`];
  return found.flatMap((entry) => entryLines(entry).slice(0, -1));
}
