/**
 * `npm run release`: publishes the version that CHANGELOG.md calls unreleased. CONTRIBUTING.md has the steps before and after.
 *
 *     --dry-run    prints the steps and runs those that change nothing
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { planRelease, type ReleasePlan } from "./plan.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(ROOT, "dist");

const output = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
/** @returns undefined outside of a repository. */
function git(...args: string[]): string | undefined {
  try {
    return output("git", ...args).trim();
  } catch {
    return undefined;
  }
}
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Runs a command that changes something; a dry run prints the command alone. */
function change(program: string, ...args: string[]): void {
  print(`${dryRun ? "would run" : "runs"}: ${[program, ...args].join(" ")}`);
  if (!dryRun) execFileSync(program, args, { cwd: ROOT, stdio: "inherit" });
}

function write(path: string, text: string): void {
  print(`${dryRun ? "would write" : "writes"}: ${path}, ${Buffer.byteLength(text)} bytes`);
  if (!dryRun) writeFileSync(join(ROOT, path), text);
}

/** Returns what has to be mended before a release. */
function obstacles({ tag }: ReleasePlan): string[] {
  const found: [string, boolean][] = [
    ["the work tree has changes that are not committed", git("status", "--porcelain") !== ""],
    ["the branch is not main", git("branch", "--show-current") !== "main"],
    [`the tag ${tag} exists`, git("tag", "--list", tag) !== ""],
    [
      "no workflow runs it: npm attests the provenance of what a workflow builds",
      !process.env.GITHUB_ACTIONS,
    ],
  ];
  return found.flatMap(([obstacle, holds]) => (holds ? obstacle : []));
}

/** The packages' archives. */
async function buildArchives({ version }: ReleasePlan): Promise<string[]> {
  const names = ["wirelab", "wirelab-construct"].map((name) => `dist/${name}-${version}.tgz`);
  if (dryRun) {
    for (const name of names) print(`would build: ${name}`);
    return names;
  }
  const [{ buildPackage }, { buildConstruct }] = await Promise.all([
    import("../package/build.ts"),
    import("../construct/build.ts"),
  ]);
  mkdirSync(DIST, { recursive: true });
  await buildPackage(DIST);
  await buildConstruct(DIST);
  return names;
}

/** The components of what runs: a CycloneDX document. */
const makeSbom = (): string =>
  output("npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only");

/** Lines that `sha256sum --check` reads. */
const checksumsOf = (paths: readonly string[]): string =>
  paths.map((path) => `${sha256(readFileSync(join(ROOT, path)))}  ${basename(path)}\n`).join("");
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function release(plan: ReleasePlan): Promise<void> {
  const { version, tag, files } = plan;
  for (const [path, text] of Object.entries(files)) write(path, text);
  const archives = await buildArchives(plan);
  const sbom = `dist/wirelab-${version}.sbom.json`;
  write(sbom, makeSbom());
  const assets = [...archives, sbom];
  if (dryRun) print(`would write: dist/SHA256SUMS of ${assets.map((path) => basename(path)).join(", ")}`);
  else write("dist/SHA256SUMS", checksumsOf(assets));
  change("git", "commit", "--message", `Release ${tag}`, "--", ...Object.keys(files));
  change("git", "tag", "--annotate", tag, "--message", `Release ${tag}`);
  // Pushed first: a tag can be deleted, a published version cannot.
  change("git", "push", "--atomic", "origin", "HEAD", tag);
  for (const archive of archives) change("npm", "publish", "--provenance", "--access", "public", archive);
  change(
    "gh",
    "release",
    "create",
    tag,
    "--verify-tag",
    "--notes-file",
    "CHANGELOG.md",
    ...assets,
    "dist/SHA256SUMS",
  );
}

const dryRun = parseArgs({ options: { "dry-run": { type: "boolean" } } }).values["dry-run"] === true;
const plan = planRelease(ROOT, new Date().toISOString().slice(0, 10));
const found = obstacles(plan);
for (const obstacle of found) print(`${dryRun ? "would refuse" : "refused"}: ${obstacle}`);
if (dryRun || found.length === 0) await release(plan);
else process.exitCode = 1;
