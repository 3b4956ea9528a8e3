/** Kinds of values of BGP's settings. */
import { choice, integer, type Kind, spelled } from "../../../../settings/kind.ts";

const MAX_AS = 4_294_967_295;
const NUMBER = /^[1-9]\d{0,9}$/;

export const asNumber = integer(1, MAX_AS, { placeholder: "AS" });

export type RemoteAs = number | "internal" | "external";

/** The number of an AS, or whether it is the own one. */
export const remoteAs: Kind<RemoteAs> = {
  read(reader, value, path) {
    if (value === "internal" || value === "external") return value;
    return typeof value === "number"
      ? reader.integer(value, path, 1, MAX_AS)
      : reader.add(path, "must be the number of an AS, internal or external");
  },
  placeholder: "AS|internal|external",
  words: String,
  parse: ([word = "", ...more]) => {
    if (more.length > 0) return undefined;
    return NUMBER.test(word) ? Number(word) : word.toLowerCase();
  },
  schema: () => ({
    anyOf: [{ type: "integer", minimum: 1, maximum: MAX_AS }, { enum: ["internal", "external"] }],
  }),
};

/** A number whose absence at a console means another one. */
export const numberOr = (kind: Kind<number>, otherwise: number): Kind<number> => ({
  ...kind,
  placeholder: `[${kind.placeholder}]`,
  parse: (words) => (words.length === 0 ? otherwise : kind.parse(words)),
});

/** FRR's `allowas-in` without a number. */
const ALLOWED = 3;
const count = integer(1, 10);
export const allowedOwnAs: Kind<number | "origin"> = {
  read(reader, value, path, context) {
    return value === "origin" ? value : count.read(reader, value, path, context);
  },
  placeholder: "[N|origin]",
  words: String,
  parse: (words) => {
    if (words.length === 0) return ALLOWED;
    return words.length === 1 && words[0]!.toLowerCase() === "origin" ? "origin" : count.parse(words);
  },
  schema: () => ({ anyOf: [count.schema(), { enum: ["origin"] }] }),
};

/** A choice one of whose values has no word at a console. */
export const choiceOr = <const T extends string>(unspoken: T, ...of: readonly T[]): Kind<T> => {
  const all = choice(unspoken, ...of);
  return {
    ...all,
    placeholder: `[${of.join("|")}]`,
    words: (value) => (value === unspoken ? "" : value),
    parse: (words) => {
      if (words.length === 0) return unspoken;
      const typed = words.join(" ").toLowerCase();
      return of.find((each) => each.toLowerCase() === typed);
    },
  };
};

const listName = spelled(
  "a name of 1 to 63 characters without spaces",
  (name) => (/^[!-~]{1,63}$/.test(name) ? name : null),
  { placeholder: "NAME" },
);

/** The name of a list or map in front of its direction. */
export const directed = (direction: "in" | "out"): Kind<string> => ({
  ...listName,
  placeholder: `NAME ${direction}`,
  words: (name) => `${name} ${direction}`,
  parse: ([name, word, ...more]) =>
    name !== undefined && word?.toLowerCase() === direction && more.length === 0 ? name : undefined,
});
