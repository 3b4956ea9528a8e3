/**
 * The entities whose changes the publisher gets; changes of all others never invoke it. Settings make no events of their own: the event of
 * their project needs them.
 */
export const SOURCES = [
  "project",
  "settings",
  "node",
  "link",
  "counters",
  "drawing",
  "compute",
  "template",
] as const;

export type Source = (typeof SOURCES)[number];

/** The entities for whose new items the publisher calls another function: calls.ts. */
export const CALLS = ["connection", "watch-call"] as const;
