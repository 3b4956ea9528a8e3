/** The bundles: their size, and how long Node takes to load each, beside an empty one. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const RUNS = 5;

/** Loads a bundle in a process of its own, as a cold start does, and prints the time it took. */
const LOADER = `
globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } };
const begin = performance.now();
await import(process.argv[1]);
console.log(performance.now() - begin);
process.exit(0);
`;

function initMs(bundle: string): number {
  const env = { PATH: process.env.PATH, AWS_REGION: "us-east-1", TABLE_NAME: "table", BUCKET_NAME: "bucket" };
  const options = ["--input-type=module", "-e", LOADER, pathToFileURL(bundle).href];
  const samples = Array.from({ length: RUNS }, () =>
    Number(execFileSync(process.execPath, options, { env, encoding: "utf8" })),
  );
  return samples.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)]!;
}

export interface Bundle {
  readonly name: string;
  /** Path of its index.mjs. */
  readonly file: string;
}

export function printFunctions(bundles: readonly Bundle[]): void {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-bench-"));
  const empty = join(folder, "index.mjs");
  writeFileSync(empty, "export const handler = async () => ({ statusCode: 204 });\n");
  console.log("\nfunction      bundle KB   init ms (median of 5)");
  console.log(`${"(empty)".padEnd(14)}${"0".padStart(9)}${initMs(empty).toFixed(1).padStart(10)}`);
  for (const { name, file } of bundles) {
    const sizeKb = (statSync(file).size / 1024).toFixed(0);
    console.log(`${name.padEnd(14)}${sizeKb.padStart(9)}${initMs(file).toFixed(1).padStart(10)}`);
  }
  rmSync(folder, { recursive: true });
}
