/**
 * Builds the npm package `wirelab` in dist/wirelab: bundles without dependencies on this workspace, types, manifest.
 *
 *     npm run pack
 *
 * CONTRIBUTING.md says how it is published.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import nodeVersion from "../../packages/wirelab/node-version.cjs";
import { writeDeclarations } from "./declarations.ts";
import { writePages } from "./pages.ts";
import { repository } from "./repository.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The path of the package's archive. */
export async function buildPackage(folder = join(ROOT, "dist")): Promise<string> {
  const target = join(folder, "wirelab");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await bundle(target);
  writeTypes(target);
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest(SOURCE), null, 2)}\n`);
  writeEntry(target);
  cpSync(join(ROOT, "packages/wirelab/lab.schema.json"), join(target, "lab.schema.json"));
  cpSync(join(ROOT, "LICENSE"), join(target, "LICENSE"));
  writePages(ROOT, target);
  for (const file of EMULATOR_FILES)
    cpSync(join(ROOT, "node_modules/v86", file), join(target, "node_modules/v86", file));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, target], { cwd: folder });
  return join(folder, `wirelab-${SOURCE.version}.tgz`);
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

interface Source {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const SOURCE = readJson("packages/wirelab/package.json") as Source;

/** The public modules; `path` is below `packages`, without an extension. */
const MODULES = Object.entries(SOURCE.exports)
  .filter(([, file]) => file.endsWith(".ts"))
  .map(([name, file]) => ({
    name,
    chunk: name === "." ? "index" : name.slice(2),
    path: `wirelab/${file.slice(2, -3)}`,
  }));

/** Threads, which the commands find beside their chunks. */
const WORKERS = {
  worker: "packages/wirelab/lab-test/worker.js",
  "guest-worker": "packages/linux/guest/guest-worker.js",
};

const bundle = (outdir: string) =>
  build({
    absWorkingDir: ROOT,
    entryPoints: {
      main: "packages/wirelab/main.ts",
      ...Object.fromEntries(MODULES.map(({ chunk, path }) => [chunk, `packages/${path}.ts`])),
      ...Object.fromEntries(Object.entries(WORKERS).map(([name, path]) => [`chunks/${name}`, path])),
    },
    outdir,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${nodeVersion.least}`,
    minify: true,
    // Names of functions and classes are part of messages.
    keepNames: true,
    legalComments: "none",
    logLevel: "error",
    mainFields: ["module", "main"],
    // The user's own vitest runs the tests; npm installs the binaries of koffi for the user's system.
    external: ["vitest", "koffi"],
    banner: { js: 'const require=process.getBuiltinModule("module").createRequire(import.meta.url);' },
  });

function writeTypes(target: string): void {
  const entries = MODULES.map(({ path }) => path);
  const used = writeDeclarations(ROOT, entries, join(target, "types"));
  const unknown = [...used].filter((name) => !/^(vitest|wirelab$|wirelab\/|node:)/.test(name));
  if (unknown.length > 0) throw new Error(`the declarations use types of packages: ${unknown.join(", ")}`);
}

const EMULATOR_FILES = ["package.json", "LICENSE", "build/libv86.mjs", "build/v86.wasm"];
const EMULATOR_VERSION = (readJson("packages/linux/package.json") as { dependencies: Record<string, string> })
  .dependencies.v86;

const manifest = ({ version, optionalDependencies }: Source): object => ({
  name: "wirelab",
  version,
  description:
    "Tests of networks in virtual time: lab files, expectations, captures. No root, no containers.",
  keywords: ["network", "lab", "test", "gns3", "containerlab", "pcap", "vitest"],
  license: "MIT",
  ...repository(),
  type: "module",
  bin: { wirelab: "wirelab.js" },
  exports: {
    ...SOURCE.exports,
    ...Object.fromEntries(
      MODULES.map(({ name, chunk, path }) => [
        name,
        { types: `./types/${path}.d.ts`, default: `./${chunk}.js` },
      ]),
    ),
  },
  engines: { node: `>=${nodeVersion.least}` },
  // Linux guests read the emulator's files, which are part of the archive: the package installs without a registry.
  dependencies: { v86: EMULATOR_VERSION },
  bundleDependencies: ["v86"],
  optionalDependencies,
  peerDependencies: { vitest: ">=5" },
  peerDependenciesMeta: { vitest: { optional: true } },
});

/** The entry file of the repository, with the bundle in place of the source. */
function writeEntry(target: string): void {
  const source = readFileSync(join(ROOT, "packages/wirelab/wirelab.js"), "utf8");
  const entry = source.replace('import("./main.ts")', 'import("./main.js")');
  if (entry === source) throw new Error("packages/wirelab/wirelab.js does not import main.ts");
  writeFileSync(join(target, "wirelab.js"), entry);
  chmodSync(join(target, "wirelab.js"), 0o755);
  cpSync(join(ROOT, "packages/wirelab/node-version.cjs"), join(target, "node-version.cjs"));
}

if (import.meta.main) {
  const path = await buildPackage();
  process.stdout.write(`${path}: ${statSync(path).size} bytes\n`);
}
