/** The type declarations of the package's entries: those files alone that the entries reach, with imports among themselves. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const SPECIFIER = /((?:from|import\()\s*")(\.[^"]*|@wirelab\/[^"]*)(")/g;

/**
 * Writes `<folder>/<path below packages>.d.ts` for each reached file.
 * @param entries paths below `packages`, without an extension.
 * @returns the names of the packages whose types the declarations use.
 */
export function writeDeclarations(root: string, entries: readonly string[], folder: string): Set<string> {
  const emitted = mkdtempSync(join(tmpdir(), "wirelab-types-"));
  try {
    emit(root, entries, emitted);
    const waiting = [...entries];
    const done = new Set<string>();
    const packages = new Set<string>();
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      if (done.has(entry)) continue;
      done.add(entry);
      const own = entry;
      const text = readFileSync(join(emitted, `${own}.d.ts`), "utf8").replaceAll(
        SPECIFIER,
        (_, before, specifier, after) => {
          const target = resolve(own, specifier);
          waiting.push(target);
          const path = relative(dirname(own), target);
          return `${before}${path.startsWith(".") ? "" : "./"}${path}.js${after}`;
        },
      );
      for (const [, name] of text.matchAll(/(?:from|import\()\s*"([^."][^"]*)"/g)) packages.add(name!);
      mkdirSync(dirname(join(folder, own)), { recursive: true });
      writeFileSync(join(folder, `${own}.d.ts`), text);
    }
    return packages;
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

/** `@wirelab/lab/x`, or a path relative to a file, to a path below `packages`. */
const resolve = (from: string, specifier: string): string =>
  (specifier.startsWith("@wirelab/")
    ? specifier.slice("@wirelab/".length)
    : join(dirname(from), specifier)
  ).replace(/\.ts$/, "");

function emit(root: string, entries: readonly string[], outDir: string): void {
  const config = join(root, ".wirelab-types.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir,
    rootDir: ".",
    // Links of node_modules would count as other packages, whose declarations are not emitted.
    paths: Object.fromEntries(
      ["engine", "lab"].map((name) => [`@wirelab/${name}/*`, [`./packages/${name}/*.ts`]]),
    ),
  };
  const files = entries.map((entry) => `packages/${entry}.ts`);
  writeFileSync(config, JSON.stringify({ extends: "./tsconfig.json", compilerOptions, files, include: [] }));
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", config], { stdio: "inherit" });
  } finally {
    rmSync(config);
  }
  // The paths in `outDir` begin at the root.
  execFileSync("sh", ["-c", `mv "$0"/packages/* "$0"`, outDir]);
}
