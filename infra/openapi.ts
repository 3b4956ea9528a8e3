/** `npm run openapi [-- FILE]`: writes the OpenAPI document to a file, `openapi.json` by default. */
import { writeFileSync } from "node:fs";
import { EXAMPLES } from "../functions/docs/examples.ts";
import { GROUPS } from "../functions/routes.ts";
import { makeOpenApi } from "../functions/shared/edge/openapi.ts";

const file = process.argv[2] ?? "openapi.json";
const document = makeOpenApi(GROUPS, EXAMPLES);
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
console.log(`${file}: ${Object.keys(document.paths).length} paths`);
