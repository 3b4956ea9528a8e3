/** The cloud assembly in a folder: synthesized once for the same sources, copied from a cache from then on. */
import { randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashSources } from "./source-hash.ts";
import { synthesize } from "./synthesize.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Goes with the packages: `npm ci` empties it. */
const CACHE = `${ROOT}node_modules/.cache/wirelab`;
/** Assemblies in the cache, 6 MB each. */
const KEPT = 4;

export interface AssembleOptions {
  /** Context besides that of cdk.json, as `-c` would give it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly report?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Default: a folder in node_modules. */
  readonly cache?: string;
  /** What fills a folder when the cache has nothing for the sources. Default: the CDK app. */
  readonly make?: typeof synthesize;
}

/**
 * Writes the cloud assembly to `folder`, in place of what is there.
 * @throws LocalProblem when the stack cannot be synthesized.
 */
export async function assemble(folder: string, options: AssembleOptions): Promise<void> {
  const { settings, report = () => {}, signal, cache = CACHE, make = synthesize } = options;
  const hash = hashSources(ROOT, settings);
  const cached = join(cache, hash);
  rmSync(folder, { recursive: true, force: true });
  if (existsSync(cached)) {
    cpSync(cached, folder, { recursive: true });
    utimesSync(cached, new Date(), new Date());
    return;
  }
  report("Building the functions and the stack, because their sources are new:");
  await make(folder, { settings, report: (step) => report(`  ${step}`), signal });
  // A source that was edited meanwhile may be in the assembly as it was before, or after.
  if (hashSources(ROOT, settings) === hash) keep(folder, cached, cache);
}

/** A cache that cannot be written costs time at the next start, and nothing else. */
function keep(folder: string, cached: string, cache: string): void {
  const unfinished = `${cached}.${randomUUID().slice(0, 8)}`;
  try {
    mkdirSync(cache, { recursive: true });
    cpSync(folder, unfinished, { recursive: true });
    renameSync(unfinished, cached);
    const byAge = readdirSync(cache)
      .map((name) => join(cache, name))
      .sort((a, b) => ageMs(a) - ageMs(b));
    for (const old of byAge.slice(KEPT)) rmSync(old, { recursive: true, force: true });
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const ageMs = (path: string): number =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
