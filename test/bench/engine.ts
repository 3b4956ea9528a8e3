/**
 * `npm run bench:engine`: measures the packet engine; each number is a median of five rounds beside its target.
 *
 *     node test/bench/engine.ts [--packets 1000000] [--only filters|events|captures|expressions|programs|unimpaired|routes] [--before DIR]
 */

import { parseArgs } from "node:util";
import { makeBenchCapture } from "./engine-capture.ts";
import { benchCaptures } from "./engine-captures.ts";
import { benchEvents } from "./engine-events.ts";
import { benchExpressions } from "./engine-expressions.ts";
import { benchFilters } from "./engine-filters.ts";
import { benchPrograms } from "./engine-programs.ts";
import { benchRoutes } from "./engine-routes.ts";
import { benchUnimpaired } from "./engine-unimpaired.ts";

const { values } = parseArgs({
  options: {
    packets: { type: "string", default: "1000000" },
    only: { type: "string" },
    before: { type: "string" },
  },
});
const capture = makeBenchCapture(Number(values.packets));
console.log(`${capture.frames.length.toLocaleString("en-US")} packets, Node.js ${process.version}`);

const PARTS: Readonly<Record<string, () => unknown>> = {
  filters: () => benchFilters(capture.frames),
  events: () => benchEvents(),
  captures: () => benchCaptures(capture),
  expressions: () => benchExpressions(capture.frames),
  programs: () => benchPrograms(capture.file),
  routes: () => benchRoutes(),
  unimpaired: () => benchUnimpaired(capture.frames, values.before),
};
for (const [name, bench] of Object.entries(PARTS)) {
  if (values.only === undefined || values.only === name) await bench();
}
