/** Requested names of nodes (docs/interface.md, section 4.4). */
import { invalidRequest } from "../edge/errors.ts";
import { nameOf, namesLike } from "../store/base/number-series.ts";

export interface NameWish {
  /** Missing when the request contains a placeholder for a number. */
  readonly exact: string | undefined;
  /** A number in the place of `{0}` makes it a name. */
  readonly template: string;
}

/**
 * Parses a requested name without its spaces. `{0}` or `{id}` stand for the lowest free number from 1. If the name is taken, the lowest
 * free number replaces its trailing number, or is appended.
 * @throws ApiError `request.invalid`
 */
export function readWish(wish: string): NameWish {
  const name = wish.replaceAll(" ", "");
  if (name === "") throw invalidRequest([{ path: "body.name", message: "is nothing but spaces" }]);
  const template = name.replaceAll("{id}", "{0}");
  if (template.includes("{0}")) return { exact: undefined, template };
  return { exact: name, template: `${name.replace(/\d+$/, "")}{0}` };
}

/** The items to read before a node is named. */
export const wantedFor = ({ exact, template }: NameWish) => ({
  names: exact === undefined ? [] : [exact],
  series: [namesLike(template)],
});

/** Returns the text with which all names of the template begin. */
export const beginningOf = (template: string): string => template.slice(0, template.indexOf("{0}"));

/** Returns the number in a name that the template makes. */
export function numberIn(name: string, template: string): number | undefined {
  const [digits] = /^\d*/.exec(name.slice(beginningOf(template).length))!;
  // Digits of the template may follow the number's digits.
  for (let length = 1; length <= digits.length; length++) {
    const number = Number(digits.slice(0, length));
    if (nameOf(template, number) === name) return number;
  }
  return undefined;
}
