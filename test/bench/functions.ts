/**
 * Measures the bundles: their size, and how long Node takes to load each in a new process, as in a cold start. Two floors
 * stand beside them: a handler that only creates the SDK's two clients, bundled as the CDK's NodejsFunction bundles it
 * (plain), and as the service's functions are bundled (lean).
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { type BundleSize, bundle, sizeOf } from "../../infra/bundle.ts";

const ROUNDS = 11;
const TARGET = { bytes: 470_000, timesTheFloor: 1.3 };

/** Prints the duration of the import. Processes share nothing: no compile cache, no snapshot. */
const LOADER = `
globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } };
const used = process.cpuUsage();
const begin = performance.now();
await import(process.argv[1]);
const ms = performance.now() - begin;
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));
process.exit(0);
`;

interface Init {
  readonly ms: number;
  /** Processor time of all threads, which other load on the machine affects less than wall time. */
  readonly cpuMs: number;
}

function measureInit(bundleFile: string): Init {
  const env = {
    PATH: process.env.PATH,
    AWS_REGION: "us-east-1",
    TABLE_NAME: "table",
    BUCKET_NAME: "bucket",
    JWT_ISSUER: "https://issuer.example",
    JWT_AUDIENCE: "audience",
  };
  const options = ["--input-type=module", "-e", LOADER, pathToFileURL(bundleFile).href];
  return JSON.parse(execFileSync(process.execPath, options, { env, encoding: "utf8" }));
}

const median = (samples: readonly number[]): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)]!;

export interface Bundle {
  readonly name: string;
  /** The folder with the bundle's index.mjs. */
  readonly folder: string;
  readonly size: BundleSize;
}

const floorOf = (name: string): string => fileURLToPath(new URL(`floors/${name}.ts`, import.meta.url));

async function bundleFloor(name: string, parent: string): Promise<Bundle> {
  const folder = join(parent, name);
  const { metafile } = bundle(floorOf(name), folder);
  return { name: `(${name})`, folder, size: sizeOf(metafile) };
}

/** Bundles with the settings that the CDK's documentation gives for ES modules. */
async function bundlePlainly(name: string, parent: string): Promise<Bundle> {
  const folder = join(parent, `${name}-plain`);
  const { metafile } = await build({
    entryPoints: { index: floorOf(name) },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    metafile: true,
    banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
  });
  return { name: `(${name}, plain)`, folder, size: sizeOf(metafile) };
}

/** Returns the size of a function's package. Node loads the files that index.mjs imports with it. */
function sizeOnDisk(folder: string): BundleSize {
  const bytesOf = (file: string): number => statSync(join(folder, file)).size;
  const atStart = new Set<string>();
  const visit = (file: string): void => {
    if (atStart.has(file)) return;
    atStart.add(file);
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, next] of text.matchAll(/(?<=\bfrom|\bimport)"\.\/([^"]+)"/g)) visit(next!);
  };
  visit("index.mjs");
  const sum = (files: Iterable<string>): number =>
    [...files].reduce((bytes, file) => bytes + bytesOf(file), 0);
  return { initBytes: sum(atStart), totalBytes: sum(readdirSync(folder)) };
}

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);

/** @param functions names and bundle folders. */
export async function printFunctions(functions: readonly { name: string; folder: string }[]): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "wirelab-bench-"));
  const floors = await Promise.all([
    bundlePlainly("clients", parent),
    bundleFloor("clients", parent),
    bundleFloor("empty", parent),
    bundleFloor("operations", parent),
  ]);
  const bundles = [
    ...floors,
    ...functions.map((one) => ({ ...one, size: sizeOnDisk(one.folder) })).toSorted(byName),
  ];
  const samples = bundles.map((): Init[] => []);
  // Rounds alternate between bundles, so that other load on the machine affects all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { folder }] of bundles.entries())
      samples[index]!.push(measureInit(join(folder, "index.mjs")));
  }
  const inits = samples.map((of) => ({
    ms: median(of.map(({ ms }) => ms)),
    cpuMs: median(of.map(({ cpuMs }) => cpuMs)),
  }));
  const [plain, lean] = inits as [Init, Init];
  console.log(
    `\nNode ${process.version}; KB is 1,000 bytes; init is the median of ${ROUNDS} fresh processes; x plain and x lean: times what ` +
      "a handler takes that only makes the two clients, bundled by NodejsFunction's settings and as the functions are",
  );
  const heads = ["KB at init", "KB in all", "init ms", "x plain", "x lean", "CPU ms", "x plain", "x lean"];
  console.log("function".padEnd(18) + heads.map((head) => head.padStart(11)).join(""));
  for (const [index, { name, size }] of bundles.entries()) {
    const { ms, cpuMs } = inits[index]!;
    const tooMuch = [
      ...(size.initBytes > TARGET.bytes ? ["over 470 KB at init"] : []),
      ...(ms > TARGET.timesTheFloor * plain.ms ? ["over 1.3 plain floors"] : []),
    ];
    const cells = [
      (size.initBytes / 1000).toFixed(0),
      (size.totalBytes / 1000).toFixed(0),
      ms.toFixed(1),
      (ms / plain.ms).toFixed(2),
      (ms / lean.ms).toFixed(2),
      cpuMs.toFixed(1),
      (cpuMs / plain.cpuMs).toFixed(2),
      (cpuMs / lean.cpuMs).toFixed(2),
    ].map((cell) => cell.padStart(11));
    console.log(name.padEnd(18) + cells.join("") + (tooMuch.length > 0 ? `   ${tooMuch.join(", ")}` : ""));
  }
  rmSync(parent, { recursive: true });
}
