/** The settings of each type, from the engine's rows, and the engine's readers. Loaded when the first form is shown. */
import type { Kind } from "@wirelab/engine/devices/kinds";
import { PROPERTY_SCHEMAS } from "@wirelab/engine/devices/property-schemas";
import { READERS } from "@wirelab/engine/devices/readers";
import type { JsonSchema } from "@wirelab/engine/settings/kind";
import type { Check, Problem } from "./draft.ts";
import { type Row, rowsOf } from "./form.ts";
import type { Properties } from "./values.ts";

/** Of nodes of all types; the engine does not read it. */
const USAGE: JsonSchema = {
  type: "string",
  contentMediaType: "text/plain",
  description: "for people who use the device",
};

/** What a device would refuse although its reader takes it, by type. */
const WARNINGS: Readonly<Partial<Record<string, () => Promise<Check>>>> = {
  vpcs: async () => {
    const { scriptProblems } = await import("@wirelab/engine/devices/pc/script-problems");
    return ({ startup_script: script }) =>
      scriptProblems(typeof script === "string" ? script : "").map(({ line, message }) => ({
        path: `startup_script.${line}`,
        message,
      }));
  },
};

export const loadShapes = async (kind: Pick<Kind, "type">) => ({
  ...shapesOf(kind),
  warnings: (await WARNINGS[kind.type]?.()) ?? ((): readonly Problem[] => []),
});

export type Shapes = Awaited<ReturnType<typeof loadShapes>>;

/** @param schemas in place of the type's own. */
export function shapesOf({ type }: Pick<Kind, "type">, schemas = PROPERTY_SCHEMAS[type]?.() ?? {}) {
  const keys = Object.keys(schemas);
  return {
    rows: rowsOf({ ...schemas, usage: USAGE }) as readonly Row[],
    /** What the engine's reader says against the properties. */
    check(properties: Properties): readonly Problem[] {
      const own = Object.fromEntries(
        keys.flatMap((key) => (properties[key] == null ? [] : [[key, properties[key]]])),
      );
      // No address and no text depends on the name and the number.
      const read = READERS[type](own, { name: "", index: 0 });
      return read.ok ? [] : read.problems.map(({ path, message }) => ({ path: path.join("."), message }));
    },
  };
}
