/** The symbol resource (docs/interface.md, section 5). */
import * as z from "zod/mini";
import { symbolId } from "./ids.ts";

export const symbol = z
  .object({ builtin: z.boolean(), filename: z.string(), symbol_id: symbolId, theme: z.string() })
  .check(z.meta({ id: "Symbol" }));
export type Symbol = z.output<typeof symbol>;

export const dimensions = z.object({ height: z.int(), width: z.int() }).check(z.meta({ id: "Dimensions" }));

/** Maps themes to node roles to symbol ids. */
export const defaultSymbols = z.record(z.string(), z.record(z.string(), symbolId));
