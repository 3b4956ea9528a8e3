/** `npm run openapi [-- FILE]`: writes the OpenAPI document to a file, `openapi.json` by default. */
import { writeFileSync } from "node:fs";
import { makeOpenApi } from "../functions/api/openapi.ts";
import { EXAMPLES } from "../functions/docs/examples.ts";
import { GROUPS } from "../functions/routes.ts";

const file = process.argv[2] ?? "openapi.json";
const document = makeOpenApi(GROUPS, EXAMPLES);
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
console.log(`${file}: ${Object.keys(document.paths).length} paths`);
