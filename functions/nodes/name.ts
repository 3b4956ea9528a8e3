/** Names of nodes, as callers wish for them (docs/interface.md, section 4.4). */
import { invalidRequest } from "../api/errors.ts";
import { nameOf, namesLike } from "../store/number-series.ts";

export interface NameWish {
  /** Missing when the wish has a place for a number. */
  readonly exact: string | undefined;
  /** With a number in the place of `{0}` it is a name. */
  readonly template: string;
}

/**
 * Removes spaces. `{0}` or `{id}` stand for the lowest free number from 1. A taken name gets its trailing number replaced by the
 * lowest free one, or one appended.
 * @throws ApiError `request.invalid`
 */
export function readWish(wish: string): NameWish {
  const name = wish.replaceAll(" ", "");
  if (name === "") throw invalidRequest([{ path: "body.name", message: "is nothing but spaces" }]);
  const template = name.replaceAll("{id}", "{0}");
  if (template.includes("{0}")) return { exact: undefined, template };
  return { exact: name, template: `${name.replace(/\d+$/, "")}{0}` };
}

/** What to read of a project before a node of it is named. */
export const wantedFor = ({ exact, template }: NameWish) => ({
  names: exact === undefined ? [] : [exact],
  series: [namesLike(template)],
});

/** The names made of a template begin so. */
export const beginningOf = (template: string): string => template.slice(0, template.indexOf("{0}"));

/** The number in a name that is made of the template. */
export function numberIn(name: string, template: string): number | undefined {
  const [digits] = /^\d*/.exec(name.slice(beginningOf(template).length))!;
  // The digits of the number may be followed by some of the template.
  for (let length = 1; length <= digits.length; length++) {
    const number = Number(digits.slice(0, length));
    if (nameOf(template, number) === name) return number;
  }
  return undefined;
}
