/** Suggestions for misspelt names. */
import { editDistance } from "./edit-distance.ts";

/** The length up to which a text is compared with names. */
const COMPARED_CHARACTERS = 64;
const LIST_MAX = 24;

/** Returns ` Did you mean "pc1"?`, or the known names if none is similar and they are few. */
export function suggest(given: string, known: Iterable<string>): string {
  const names = [...known];
  const most = given.length > COMPARED_CHARACTERS ? -1 : Math.ceil(given.length / 3);
  let best: { readonly name: string; readonly apart: number } | undefined;
  for (const name of names) {
    if (Math.abs(name.length - given.length) > most) continue;
    const apart = editDistance(given.toLowerCase(), name.toLowerCase());
    if (apart <= most && apart < (best?.apart ?? Number.POSITIVE_INFINITY)) best = { name, apart };
  }
  if (best !== undefined) return ` Did you mean ${JSON.stringify(best.name)}?`;
  return names.length > 0 && names.length <= LIST_MAX ? ` Expected one of: ${names.join(", ")}.` : "";
}
