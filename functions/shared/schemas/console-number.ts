/** The numbers of consoles: ports of TCP, which clients open at `console_host`. */
import type { Node } from "./node.ts";

export const FIRST_CONSOLE = 5_000;
export const LAST_CONSOLE = 65_535;

/** Returns whether a console of this type has a number. */
export const hasConsole = (type: Node["console_type"]): boolean => type !== null && type !== "none";

/** Returns the number that belongs to a PC or router; undefined for a node without an index, and beyond the last number. */
export const consoleAt = (index: number | undefined): number | undefined =>
  index === undefined || FIRST_CONSOLE + index > LAST_CONSOLE ? undefined : FIRST_CONSOLE + index;
