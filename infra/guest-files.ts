/** The files beside the bundle of the function `guests`: the thread of a guest, the emulator, which it reads, and the thread that stores progress. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { bundle } from "./bundle.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const EMULATOR = "node_modules/v86";
const EMULATOR_FILES = ["package.json", "LICENSE", "build/libv86.mjs", "build/v86.wasm"];

/** @throws Error when the thread's code does not resolve. */
export function addGuestFiles(folder: string): void {
  buildSync({
    absWorkingDir: ROOT,
    // The name that packages/linux/guest/channel.ts starts.
    entryPoints: { "guest-worker": "packages/linux/guest/worker.ts" },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    legalComments: "none",
    logLevel: "silent",
  });
  bundle(`${ROOT}functions/runs/progress-thread.ts`, folder, "progress-thread");
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
  for (const file of EMULATOR_FILES) cpSync(join(ROOT, EMULATOR, file), join(folder, EMULATOR, file));
}
