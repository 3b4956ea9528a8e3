/** What a BGP process holds at most. docs/limits.md has the figures. */
export const MAX_NEIGHBOURS = 64;
/** Prefixes of the table of a router. */
export const MAX_PREFIXES = 20_000;
