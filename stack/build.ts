/**
 * Builds the action's bundles in stack/dist, which GitHub runs as they are in the repository: `npm run build:stack`. A test compares
 * them with the sources.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const DIST = `${ROOT}stack/dist`;

/** @returns the bundles by their file names. */
export async function buildStackAction(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["stack/src/main.ts", "stack/src/post.ts"],
    outdir: DIST,
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    legalComments: "none",
    logLevel: "error",
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

if (import.meta.main) {
  mkdirSync(DIST, { recursive: true });
  for (const [name, text] of await buildStackAction()) writeFileSync(`${DIST}/${name}`, text);
}
