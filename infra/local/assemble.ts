/** Writes the cloud assembly to a folder: synthesizes it once for the same sources, then copies it from a cache. */
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
import { ONE_BUILD } from "../one-build.ts";
import { hashSources } from "./source-hash.ts";
import { synthesize } from "./synthesize.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** In node_modules, so that `npm ci` empties it. */
const CACHE = `${ROOT}node_modules/.cache/wirelab`;
/** The maximum number of assemblies in the cache; each has about 6 MB. */
const KEPT = 4;

export interface AssembleOptions {
  /** Context values that are added to those of cdk.json, like `cdk -c`. */
  readonly settings: Readonly<Record<string, string>>;
  /** One build of all functions, which is quicker; without it, each function has the bundle that AWS gets. Default: false. */
  readonly oneBuild?: boolean;
  readonly report?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Default: a folder in node_modules. */
  readonly cache?: string;
  /** Synthesizes the assembly when the cache has none for the sources. Default: runs the CDK app. */
  readonly make?: typeof synthesize;
}

/**
 * Replaces the contents of `folder` by the cloud assembly.
 * @throws LocalProblem when the stack cannot be synthesized.
 */
export async function assemble(folder: string, options: AssembleOptions): Promise<void> {
  const { settings, oneBuild = false, report = () => {}, signal, cache = CACHE, make = synthesize } = options;
  // The CDK's own checks of a template are for AWS, and take seconds.
  const environment: Record<string, string> = {
    CDK_VALIDATION: "false",
    ...(oneBuild && { [ONE_BUILD]: "true" }),
  };
  const hashOfSources = () => hashSources(ROOT, { ...settings, ...environment });
  const hash = hashOfSources();
  const cached = join(cache, hash);
  rmSync(folder, { recursive: true, force: true });
  if (existsSync(cached)) {
    cpSync(cached, folder, { recursive: true });
    utimesSync(cached, new Date(), new Date());
    return;
  }
  report("Building the functions and the stack, because their sources are new");
  await make(folder, { settings, environment, signal });
  // If a source changed during the synthesis, the assembly may have either version of it.
  if (hashOfSources() === hash) keep(folder, cached, cache);
}

/** Ignores errors: without the cache, only the next start takes longer. */
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
