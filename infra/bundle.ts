/**
 * Bundles a function: `index.mjs`, which Lambda loads when an execution environment starts, and a file for each part that
 * the function loads on first use (`import()`).
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { type BuildOptions, type BuildResult, build, buildSync, type Metafile } from "esbuild";
import { bundleName } from "./construct/bundle-name.ts";
import { ONE_BUILD } from "./one-build.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const standIn = (name: string): string => `${ROOT}infra/stand-ins/${name}.ts`;

/** Modules of the SDK that no function uses -> stand-ins. docs/benchmarks.md has the savings. */
export const STAND_INS: Readonly<Record<string, string>> = {
  "@aws-sdk/credential-provider-node": standIn("credentials"),
  "@aws-sdk/middleware-endpoint-discovery": standIn("endpoint-discovery"),
  "@smithy/core/event-streams": standIn("event-streams"),
  "@aws/lambda-invoke-store": standIn("invoke-store"),
};

/**
 * @param entry the path of the module with the handler, or of a thread.
 * @param folder the folder for the bundle; without it, nothing is written.
 * @param name of the file that is loaded first, without extension.
 * @throws Error when a module does not resolve.
 */
export const bundle = (
  entry: string,
  folder?: string,
  name = "index",
): BuildResult<{ metafile: true; write: boolean }> =>
  buildSync({
    ...optionsOf({ [name]: entry }),
    ...(folder !== undefined && { outdir: folder, write: true }),
  });

/**
 * Bundles in memory, with a source map for each file. The code is that of `bundle`, but the names of its files have other hashes, because
 * esbuild makes them of the maps, too.
 */
export const bundleWithMaps = (entry: string): BuildResult<{ metafile: true; write: false }> =>
  buildSync({ ...optionsOf({ index: entry }), sourcemap: "external", sourcesContent: false });

/** @param entryPoints the module of each file, by the name of the file without extension. */
const optionsOf = (entryPoints: Record<string, string>) =>
  ({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: "bundle",
    write: false,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    charset: "ascii",
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
    // esbuild removes unused code from ES modules only.
    mainFields: ["module", "main"],
    alias: STAND_INS,
    // The SDK uses bowser in browsers only.
    external: ["bowser"],
    // Some dependencies are CommonJS and call `require` for Node's own modules.
    banner: { js: 'const require=process.getBuiltinModule("module").createRequire(import.meta.url);' },
  }) as const satisfies BuildOptions;

export interface BundleSize {
  /** The bytes that Lambda loads when the function starts. */
  readonly initBytes: number;
  /** The bytes of all files. */
  readonly totalBytes: number;
}

export function sizeOf({ outputs }: Metafile): BundleSize {
  const atStart = new Set<string>();
  const visit = (path: string): void => {
    if (atStart.has(path)) return;
    atStart.add(path);
    for (const { path: next, kind, external } of outputs[path]!.imports) {
      if (kind === "import-statement" && !external) visit(next);
    }
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint !== undefined && path.endsWith("index.mjs")) visit(path);
  }
  const sum = (paths: Iterable<string>): number =>
    [...paths].reduce((bytes, path) => bytes + outputs[path]!.bytes, 0);
  return { initBytes: sum(atStart), totalBytes: sum(Object.keys(outputs)) };
}

/** Writes further files to the folder of a bundle. @param isQuick whether a short time matters more than small files. */
export type AddFiles = (output: string, isQuick: boolean) => void;

export interface Bundled {
  /** The folder of the function. */
  readonly source: string;
  readonly entry: string;
  readonly addFiles: AddFiles | undefined;
}

/** The functions of all stacks that this process has made: infra/construct/build.ts bundles them for the package. */
export const BUNDLED = new Map<string, Bundled>();

/** The folder of the one build in the cloud assembly. */
const TOGETHER = "functions";

/**
 * Writes the code of all functions in BUNDLED to a folder of the cloud assembly, where their `index.mjs` load it. Modules that several
 * functions use are read and written once, which takes a sixth of the time of separate bundles, and are not minified.
 * @throws Error with esbuild's message when a module does not resolve.
 */
export async function bundleTogether(assembly: string): Promise<void> {
  const folder = join(assembly, TOGETHER);
  const modules = [...BUNDLED].map(([name, { source, entry }]) => [name, `${source}/${entry}.ts`]);
  const built = build({
    ...optionsOf(Object.fromEntries(modules)),
    outdir: folder,
    write: true,
    minify: false,
  });
  // esbuild is another process, which bundles meanwhile.
  for (const { addFiles } of BUNDLED.values()) addFiles?.(folder, true);
  await built;
}

/**
 * Returns the code of a function for the CDK, which bundles the module `entry` in `folder` during the synthesis.
 * @param addFiles writes further files to the folder of the bundle.
 * @throws Error with esbuild's message when the bundle fails.
 */
export function bundledCode(folder: string, entry: string, addFiles?: AddFiles): Code {
  const name = bundleName(folder, entry);
  BUNDLED.set(name, { source: folder, entry, addFiles });
  return Code.fromAsset(folder, {
    // CloudFormation updates the function when the hash of the output changes.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK requires an image, but does not pull it if `tryBundle` succeeds.
      image: DockerImage.fromRegistry("node"),
      // The CDK treats assets of one folder as equal unless their commands differ.
      command: [entry],
      local: {
        tryBundle(output) {
          if (process.env[ONE_BUILD]) {
            writeFileSync(join(output, "index.mjs"), `export * from "../${TOGETHER}/${name}.mjs";\n`);
            return true;
          }
          try {
            bundle(`${folder}/${entry}.ts`, output);
            addFiles?.(output, false);
          } catch (error) {
            throw new Error(`${folder}/${entry}.ts could not be bundled: ${(error as Error).message}`);
          }
          return true;
        },
      },
    },
  });
}
