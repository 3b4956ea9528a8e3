/** Builds the page (page/) with Vite, and compresses its files. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { hashFiles } from "../local/source-hash.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CACHE = `${ROOT}node_modules/.cache/wirelab-page`;

/** Files and folders that the page is built from. */
const SOURCES = ["page", "packages", "examples/labs", "infra/page", "package-lock.json"];

/**
 * Writes the files of the page to `folder`, each also with the suffix `.br` in the content coding `br`. Builds once for the same sources.
 * @throws Error with Vite's output when the build fails.
 */
export function buildPage(folder: string): void {
  const cached = join(CACHE, hashFiles(ROOT, SOURCES));
  if (!existsSync(cached)) {
    const unfinished = `${cached}.${process.pid}`;
    build(unfinished);
    rename(unfinished, cached);
  }
  cpSync(cached, folder, { recursive: true });
}

function build(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const vite = `${ROOT}node_modules/vite/bin/vite.js`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, "build", `${ROOT}page`, "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"],
    { encoding: "utf8", cwd: ROOT, env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" } },
  );
  if (status !== 0) throw new Error(`The page could not be built:\n${stdout}${stderr}`);
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
}

/** Another process may have built the same page meanwhile. */
function rename(unfinished: string, cached: string): void {
  try {
    renameSync(unfinished, cached);
  } catch (error) {
    if (!existsSync(cached)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
}
