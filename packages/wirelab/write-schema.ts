/** Writes lab.schema.json, by which editors complete lab files: `npm run schema`. */
import { writeFileSync } from "node:fs";
import { labJsonSchema } from "@wirelab/lab/file/json-schema";

export const schemaText = (): string => `${JSON.stringify(labJsonSchema(), null, 2)}\n`;

if (import.meta.main) writeFileSync(new URL("lab.schema.json", import.meta.url), schemaText());
