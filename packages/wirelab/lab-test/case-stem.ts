/** The name of a case's files in the folder of the captures: `wan.seed-17.link-main`, the lab and what varies. */
import type { CaseSettings } from "./result.ts";

export const caseStem = (lab: string, { seed, failures }: CaseSettings): string =>
  [
    lab,
    ...(seed === undefined ? [] : [`seed-${seed}`]),
    ...failures.map(({ kind, name }) => `${kind}-${name}`),
  ]
    .map((part) => part.replaceAll(/[^\w-]+/g, "_"))
    .join(".");
