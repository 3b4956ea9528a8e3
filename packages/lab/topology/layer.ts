/** The places of a containerlab file that define a node. */

import type { Fields } from "../file/fields.ts";
import type { Path } from "../file/problem.ts";

export interface Layer {
  readonly path: Path;
  readonly fields: Fields;
}
