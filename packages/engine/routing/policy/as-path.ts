/** Paths of autonomous systems as FRR writes them, and their changes. */
import type { PathSegment } from "./route.ts";

const SEQUENCE = 2;
const MOST_SYSTEMS = 255;
const MAX_SYSTEM = 0xffff_ffff;

const BRACKETS: Readonly<Record<number, readonly [open: string, separator: string, close: string]>> = {
  1: ["{", ",", "}"],
  2: ["", " ", ""],
  3: ["(", " ", ")"],
  4: ["[", ",", "]"],
};

export const formatPath = (path: readonly PathSegment[]): string =>
  path
    .map(({ type, systems }) => {
      const [open, separator, close] = BRACKETS[type] ?? BRACKETS[SEQUENCE]!;
      return `${open}${systems.join(separator)}${close}`;
    })
    .join(" ");

/** Plain, or as two numbers with a point; 0 is no system. */
export function parseSystem(text: string): number | undefined {
  const [, high, low] = /^(\d{1,5})\.(\d{1,5})$/.exec(text) ?? [];
  if (high !== undefined)
    return Number(high) <= 0xffff && Number(low) <= 0xffff
      ? Number(high) * 0x1_0000 + Number(low) || undefined
      : undefined;
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_SYSTEM ? Number(text) || undefined : undefined;
}

export function prepend(path: readonly PathSegment[], systems: readonly number[]): PathSegment[] {
  const [first, ...rest] = path;
  if (first?.type !== SEQUENCE || first.systems.length + systems.length > MOST_SYSTEMS)
    return systems.length === 0 ? [...path] : [{ type: SEQUENCE, systems }, ...path];
  return [{ type: SEQUENCE, systems: [...systems, ...first.systems] }, ...rest];
}

/** Without each occurrence of the systems. */
export const exclude = (path: readonly PathSegment[], systems: readonly number[]): PathSegment[] =>
  path
    .map(({ type, systems: own }) => ({ type, systems: own.filter((each) => !systems.includes(each)) }))
    .filter(({ systems: left }) => left.length > 0);

export const leftmost = (path: readonly PathSegment[]): number | undefined => path[0]?.systems[0];
