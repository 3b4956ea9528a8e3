/** The reporters, by the names that the command line has for them. */
export const REPORTERS = ["pretty", "junit", "json", "tap", "github"] as const;
export type ReporterName = (typeof REPORTERS)[number];
