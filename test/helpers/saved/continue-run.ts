/** A process that continues a saved run: `{"text", "saved"}` on its input, the outcome on its output. */
import { readFileSync } from "node:fs";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { continued } from "./halves.ts";

const { text, saved } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(continued(parseLabFile(text, { name: "saved" }), saved)));
