/** What the readers of expectations get. */
import type * as z from "zod/mini";
import type { Path, Problems } from "../file/problem.ts";
import type { ClaimKey, claimSchemas } from "../file/schema.ts";
import type { Times } from "../model/expectation.ts";
import type { Expansion } from "./expansion.ts";
import type { Expressions } from "./expressions.ts";
import type { Names } from "./names.ts";

export type DataOf<K extends ClaimKey> = z.output<(typeof claimSchemas)[K]>;
export type ClaimData = { [K in ClaimKey]: DataOf<K> }[ClaimKey];

export interface ClaimContext {
  readonly path: Path;
  readonly names: Names;
  readonly times: Times;
  readonly expansion: Expansion;
  readonly expressions: Expressions;
  readonly problems: Problems;
}
