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

/** The default of Brotli, and its best. It takes fifty times as long as quality 5, and saves a tenth of the bytes. */
const BEST = constants.BROTLI_MAX_QUALITY;

/**
 * Writes the files of the page to `folder`, each also with the suffix `.br` in the content coding `br`. Builds once for the same sources.
 * @param quality of the compression, from 0 to 11.
 * @throws Error with Vite's output when the build fails.
 */
export function buildPage(folder: string, quality = BEST): void {
  const built = join(CACHE, hashFiles(ROOT, SOURCES));
  makeOnce(built, build);
  const compressed = `${built}.br${quality}`;
  makeOnce(compressed, (unfinished) => compress(built, unfinished, quality));
  cpSync(built, folder, { recursive: true });
  cpSync(compressed, folder, { recursive: true });
}

function makeOnce(folder: string, make: (unfinished: string) => void): void {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  make(unfinished);
  rename(unfinished, folder);
}

function build(folder: string): void {
  const vite = `${ROOT}node_modules/vite/bin/vite.js`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, "build", `${ROOT}page`, "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"],
    { encoding: "utf8", cwd: ROOT, env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" } },
  );
  if (status !== 0) throw new Error(`The page could not be built:\n${stdout}${stderr}`);
}

function compress(from: string, to: string, quality: number): void {
  for (const name of readdirSync(from)) {
    const bytes = readFileSync(join(from, name));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(join(to, `${name}.br`), brotliCompressSync(bytes, { params }));
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
