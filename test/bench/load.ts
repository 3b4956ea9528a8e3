/**
 * `npm run bench:load`: sends a mix of all routes to the local stack over many connections, while random calls to DynamoDB fail.
 * Exits with 1 when a response was wrong, a route was not used, or the store has orphaned items or objects afterwards.
 */
import { parseArgs } from "node:util";
import { runLoad } from "./load/run-load.ts";
import { describe } from "./load/tally.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    connections: { type: "string", default: "64" },
    drop: { type: "string", default: "0.01" },
    seed: { type: "string", default: "1" },
  },
});

function figure(name: keyof typeof values, least: number, most: number): number {
  const value = Number(values[name]);
  if (value >= least && value <= most) return value;
  console.error(`--${name} ${values[name]} is not a number from ${least} to ${most}`);
  process.exit(2);
}

const seconds = figure("seconds", 1, 86_400);
const connections = figure("connections", 1, 10_000);
const drop = figure("drop", 0, 0.9);
const seed = figure("seed", 0, 2 ** 32);

console.log(
  `${connections} connections for ${seconds} s; ${drop * 100} % of the calls to DynamoDB are cut off`,
);
const {
  tally,
  seconds: took,
  calls,
  dropped,
  throttled,
  missing,
  dangling,
} = await runLoad({
  connections,
  seconds,
  drop,
  seed,
});
console.log(`\n${describe(tally.samples, took)}`);
console.log(`${dropped} of ${calls} calls to DynamoDB were cut off, and ${throttled} throttled`);
console.log(`Routes not used: ${missing.length === 0 ? "none" : missing.join(", ")}`);
console.log(`Dangling references: ${dangling.length}${dangling.map((each) => `\n  ${each}`).join("")}`);
console.log(`Wrong answers: ${tally.wrong.length}${tally.wrong.map((each) => `\n  ${each}`).join("")}`);
process.exitCode = tally.wrong.length + missing.length + dangling.length > 0 ? 1 : 0;
