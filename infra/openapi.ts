/** `npm run openapi [-- FILE]`: writes the OpenAPI document to a file, `openapi.json` by default. */
import { writeFileSync } from "node:fs";
import { makeOpenApi } from "../functions/api/openapi.ts";
import { GROUPS } from "../functions/routes.ts";

const file = process.argv[2] ?? "openapi.json";
writeFileSync(file, `${JSON.stringify(makeOpenApi(GROUPS), null, 2)}\n`);
console.log(`${file}: ${Object.keys(makeOpenApi(GROUPS).paths).length} paths`);
