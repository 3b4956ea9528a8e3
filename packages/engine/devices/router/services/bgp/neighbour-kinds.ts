/** Values of several words in the lines of a neighbour. */
import { flag, integer, type Kind } from "../../../../settings/kind.ts";
import { optional, required, type SpecOf, unlessUsual } from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import { asNumber } from "./kinds.ts";

const LOCAL_AS = {
  as: required(asNumber),
  no_prepend: unlessUsual(flag, false, { name: "noPrepend" }),
  replace_as: unlessUsual(flag, false, { name: "replaceAs" }),
} as const;

export const localAs: Kind<SpecOf<typeof LOCAL_AS>> = {
  ...record<unknown, typeof LOCAL_AS>(LOCAL_AS),
  placeholder: "AS [no-prepend] [replace-as]",
  words: ({ as, noPrepend, replaceAs }) =>
    [as, ...(noPrepend ? ["no-prepend"] : []), ...(replaceAs ? ["replace-as"] : [])].join(" "),
  parse([number, ...words]) {
    const as = asNumber.parse(number === undefined ? [] : [number]);
    const typed = words.join(" ").toLowerCase();
    if (as === undefined || !["", "no-prepend", "no-prepend replace-as"].includes(typed)) return undefined;
    return {
      as,
      ...(typed !== "" && { no_prepend: true }),
      ...(typed.endsWith("replace-as") && { replace_as: true }),
    };
  },
};

const MAX_PREFIXES = 4_294_967_295;
const most = integer(1, MAX_PREFIXES);
const percent = integer(1, 100);
const MAXIMUM = {
  most: required(most),
  threshold: optional(percent),
  warning_only: unlessUsual(flag, false, { name: "warnsOnly" }),
} as const;

export const maximumPrefix: Kind<SpecOf<typeof MAXIMUM>> = {
  ...record<unknown, typeof MAXIMUM>(MAXIMUM),
  placeholder: "N [PERCENT] [warning-only]",
  words: ({ most: number, threshold, warnsOnly }) =>
    [number, ...(threshold === undefined ? [] : [threshold]), ...(warnsOnly ? ["warning-only"] : [])].join(
      " ",
    ),
  parse([number, ...words]) {
    const warns = words.at(-1)?.toLowerCase() === "warning-only";
    const others = warns ? words.slice(0, -1) : words;
    const limit = most.parse(number === undefined ? [] : [number]);
    const threshold = others.length === 0 ? undefined : percent.parse(others);
    if (limit === undefined || (others.length > 0 && threshold === undefined)) return undefined;
    return {
      most: limit,
      ...(threshold !== undefined && { threshold }),
      ...(warns && { warning_only: true }),
    };
  },
};
