/** The places of a containerlab file that define a node. */
import type { Path } from "../file/problem.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Layer {
  readonly path: Path;
  readonly fields: Fields;
}
