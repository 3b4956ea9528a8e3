/** The lines `neighbor ADDR ...`: printed, and as edits of a neighbour's properties. */
import type { Shape } from "../../../../settings/shape.ts";
import { FAMILY, type NeighbourSpec, SESSION } from "./neighbour-settings.ts";

export type Own = Readonly<Record<string, unknown>>;
type Words = readonly string[];

/** One form of line, which follows the address. */
export interface NeighbourLine {
  readonly head: string;
  readonly syntax: string;
  /** What follows the head after `no`, unless it may be anything. */
  readonly named?: string;
  readonly about: string;
  readonly isOfFamily: boolean;
  /** @returns undefined if the words are wrong. */
  readonly set: (own: Own, words: Words) => Own | undefined;
  readonly unset: (own: Own) => Own;
  readonly print: (spec: NeighbourSpec) => Words;
}

const without = (own: Own, ...keys: Words): Own =>
  Object.fromEntries(Object.entries(own).filter(([key]) => !keys.includes(key)));

const inSpec = (spec: NeighbourSpec, name: string): unknown => (spec as Own)[name];

function rowLine(key: string, row: Shape[string], isOfFamily: boolean): NeighbourLine[] {
  const { kind, line: head, name = key, about = "", isPresence, syntax = kind.placeholder } = row;
  if (head === undefined) return [];
  return [
    {
      head,
      about,
      isOfFamily,
      syntax: isPresence ? "" : syntax,
      ...(/ (in|out)$/.test(syntax) && { named: syntax }),
      set(own, words) {
        if (isPresence) return words.length > 0 ? undefined : { ...own, [key]: true };
        const value = kind.parse(words);
        return value === undefined ? undefined : { ...own, [key]: value };
      },
      unset: (own) => without(own, key),
      print(spec) {
        const value = inSpec(spec, name);
        if (value === undefined) return [];
        return [isPresence ? head : `${head} ${kind.words(value)}`.trimEnd()];
      },
    },
  ];
}

const { keepalive_seconds: keepalive, hold_seconds: hold } = SESSION;

const TIMERS: NeighbourLine = {
  head: "timers",
  syntax: "KEEPALIVE HOLDTIME",
  about: "seconds between keepalives, and without a message until the session is lost",
  isOfFamily: false,
  set(own, words) {
    const [first, second] = [keepalive.kind.parse(words.slice(0, 1)), hold.kind.parse(words.slice(1))];
    if (first === undefined || second === undefined) return undefined;
    return { ...own, keepalive_seconds: first, hold_seconds: second };
  },
  unset: (own) => without(own, "keepalive_seconds", "hold_seconds"),
  print: ({ keepaliveSeconds, holdSeconds }) =>
    keepaliveSeconds === undefined ? [] : [`timers ${keepaliveSeconds} ${holdSeconds}`],
};

const ACTIVATE: NeighbourLine = {
  head: "activate",
  syntax: "",
  about: "exchange IPv4 routes",
  isOfFamily: true,
  set: (own, words) => (words.length > 0 ? undefined : { ...own, activate: true }),
  unset: (own) => ({ ...own, activate: false }),
  print: () => [],
};

export const NEIGHBOUR_LINES: readonly NeighbourLine[] = [
  ...Object.entries<Shape[string]>(SESSION).flatMap(([key, row]) => rowLine(key, row, false)),
  TIMERS,
  ACTIVATE,
  ...Object.entries<Shape[string]>(FAMILY).flatMap(([key, row]) => rowLine(key, row, true)),
];
