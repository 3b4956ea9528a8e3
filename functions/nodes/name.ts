/** How a node gets a name that no other node of the project has (reference: 7.4). */

import { invalidRequest } from "../api/errors.ts";

/**
 * Spaces go. `{0}` or `{id}` stand for the lowest free number from 1. A taken name gets its trailing number
 * replaced by the lowest free one, or one appended.
 */
export function allocateName(wish: string, taken: ReadonlySet<string>): string {
  const name = wish.replaceAll(" ", "");
  if (name === "") throw invalidRequest([{ path: "body.name", message: "is nothing but spaces" }]);
  if (/\{(0|id)\}/.test(name)) {
    return lowestFree((number) => name.replaceAll(/\{(0|id)\}/g, String(number)), taken);
  }
  if (!taken.has(name)) return name;
  const stem = name.replace(/\d+$/, "");
  return lowestFree((number) => `${stem}${number}`, taken);
}

function lowestFree(make: (number: number) => string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = make(number);
    if (!taken.has(name)) return name;
  }
}
