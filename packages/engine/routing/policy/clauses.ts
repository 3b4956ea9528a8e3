/** Clauses of route maps as rows: the words, what follows them, who has the clause, and what it does. */
import { parseIpv4 } from "../../wire/ipv4-address.ts";
import { parseIpv6 } from "../../wire/ipv6-address.ts";
import type { Judge } from "./route.ts";

export interface Clause<T> {
  /** The words behind `match` or `set`. */
  readonly head: string;
  /** As in `console/command.ts`. */
  readonly syntax?: string;
  readonly about: string;
  readonly judges: readonly Judge[];
  /** @returns undefined if the words do not fit the syntax. */
  readonly parse: (words: readonly string[]) => T | undefined;
}

export interface ParsedClause<T> {
  readonly head: string;
  /** The whole clause in its one spelling. */
  readonly text: string;
  readonly does: T;
}

/** The longest head that the words begin with. @returns what is wrong as text. */
export function parseClause<T>(
  verb: string,
  rows: readonly Clause<T>[],
  text: string,
): ParsedClause<T> | string {
  const words = text.trim().split(/\s+/);
  const found = rows
    .filter(({ head }) => head.split(" ").every((word, at) => words[at]?.toLowerCase() === word))
    .toSorted((one, other) => other.head.length - one.head.length);
  for (const { head, parse } of found) {
    const rest = words.slice(head.split(" ").length);
    const does = parse(rest);
    if (does !== undefined) return { head, text: [head, ...rest].join(" "), does };
  }
  const [nearest] = found;
  return nearest === undefined
    ? `there is no clause \`${verb} ${text.trim()}\``
    : `the clause is \`${[verb, nearest.head, nearest.syntax].filter(Boolean).join(" ")}\``;
}

type Words = readonly string[];

/** The only word. */
export const word =
  <T>(read: (word: string) => T | undefined) =>
  ([first, ...more]: Words): T | undefined =>
    first === undefined || more.length > 0 ? undefined : read(first);

export const number =
  <T>(min: number, max: number, then: (number: number) => T) =>
  (words: Words): T | undefined =>
    word((text) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? then(value) : undefined;
    })(words);

export const address4 =
  <T>(then: (address: number) => T) =>
  (words: Words): T | undefined =>
    word((text) => {
      const address = parseIpv4(text);
      return address === null ? undefined : then(address);
    })(words);

export const address6 =
  <T>(then: (address: bigint) => T) =>
  (words: Words): T | undefined =>
    word((text) => {
      const address = parseIpv6(text);
      return address === null ? undefined : then(address);
    })(words);

export const MAX_32 = 4_294_967_295;
