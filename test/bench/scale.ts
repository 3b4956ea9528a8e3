/** `npm run scale`: simulates busy hours against the limits of an account, and writes the tables of docs/scale.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { report } from "./scale/report.ts";

const PAGE = new URL("../../docs/scale.md", import.meta.url);
const MARKS = ["<!-- generated: scale -->", "<!-- end -->"] as const;

const page = readFileSync(PAGE, "utf8");
const [before] = page.split(MARKS[0]);
const [, after] = page.split(MARKS[1]);
const tables = report();
writeFileSync(PAGE, `${before}${MARKS[0]}\n\n${tables}\n\n${MARKS[1]}${after}`);
console.log(tables);
