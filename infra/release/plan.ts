/** What a release changes in the repository's files, without writing them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface ReleasePlan {
  readonly version: string;
  readonly tag: string;
  /** Whole texts by path. */
  readonly files: Readonly<Record<string, string>>;
}

interface Manifest {
  version?: string;
  readonly dependencies?: Record<string, string>;
  /** A lock file has these: the manifest of each folder. */
  readonly packages?: Record<string, Manifest>;
}

const MANIFESTS = ["package.json", "package-lock.json"];
const WORKSPACES = ["engine", "lab", "linux", "wirelab"].map((name) => `packages/${name}`);
const UNRELEASED = /^## \[(\d+\.\d+\.\d+)\] - unreleased$/m;

/**
 * The version is the one of the changelog's heading `## [VERSION] - unreleased`, which gets the date, below a heading for the next version.
 * @throws Error without such a heading.
 */
export function planRelease(root: string, date: string): ReleasePlan {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const changelog = read("CHANGELOG.md");
  const version = UNRELEASED.exec(changelog)?.[1];
  if (version === undefined) throw new Error("CHANGELOG.md has no heading `## [VERSION] - unreleased`");
  const manifests = [...MANIFESTS, ...WORKSPACES.map((folder) => `${folder}/package.json`)];
  return {
    version,
    tag: `v${version}`,
    files: {
      "CHANGELOG.md": changelog.replace(
        UNRELEASED,
        `## [${nextMinor(version)}] - unreleased\n\n## [${version}] - ${date}`,
      ),
      ...Object.fromEntries(manifests.map((path) => [path, withVersion(read(path), version)])),
    },
  };
}

function nextMinor(version: string): string {
  const [major, minor] = version.split(".").map(Number);
  return `${major}.${minor! + 1}.0`;
}

function withVersion(text: string, version: string): string {
  const manifest: Manifest = JSON.parse(text);
  const own = ["", ...WORKSPACES].flatMap((folder) => manifest.packages?.[folder] ?? []);
  for (const each of [manifest, ...own]) {
    each.version = version;
    for (const name of Object.keys(each.dependencies ?? {}))
      if (name.startsWith("@wirelab/")) each.dependencies![name] = version;
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
