/**
 * The bundle of a function: `index.mjs`, which is loaded when an execution environment starts, and a file for each part
 * that the function loads on first use (`import()`).
 */
import { fileURLToPath } from "node:url";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { type BuildResult, buildSync, type Metafile } from "esbuild";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const standIn = (name: string): string => `${ROOT}infra/stand-ins/${name}.ts`;

/** Parts of the SDK that a function never uses, and their stand-in modules: docs/benchmarks.md has the savings. */
export const STAND_INS: Readonly<Record<string, string>> = {
  "@aws-sdk/credential-provider-node": standIn("credentials"),
  "@aws-sdk/middleware-endpoint-discovery": standIn("endpoint-discovery"),
  "@smithy/core/event-streams": standIn("event-streams"),
  "@aws/lambda-invoke-store": standIn("invoke-store"),
};

/**
 * @param entry path of the module with the handler.
 * @param folder of the bundle; without it, nothing is written.
 * @throws Error when a module does not resolve.
 */
export const bundle = (entry: string, folder?: string): BuildResult<{ metafile: true; write: boolean }> =>
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    outdir: folder ?? "bundle",
    write: folder !== undefined,
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
    // esbuild leaves unused code out of ES modules only.
    mainFields: ["module", "main"],
    alias: STAND_INS,
    // The SDK loads it in browsers only.
    external: ["bowser"],
    // Some dependencies are CommonJS and require Node's own modules.
    banner: { js: 'const require=process.getBuiltinModule("module").createRequire(import.meta.url);' },
  });

export interface BundleSize {
  /** Bytes that are loaded when the function starts. */
  readonly initBytes: number;
  /** Bytes of all files. */
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

/**
 * Bundles the module `entry` in `folder` for the CDK when the stack is synthesized.
 * @throws Error with esbuild's message when the bundle fails.
 */
export const bundledCode = (folder: string, entry: string): Code =>
  Code.fromAsset(folder, {
    // The hash of the output decides whether the function has changed.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK requires an image but does not pull it, because the bundle is made on this machine.
      image: DockerImage.fromRegistry("node"),
      // The CDK treats assets of one folder as equal unless their commands differ.
      command: [entry],
      local: {
        tryBundle(output) {
          try {
            bundle(`${folder}/${entry}.ts`, output);
          } catch (error) {
            throw new Error(`${folder}/${entry}.ts could not be bundled: ${(error as Error).message}`);
          }
          return true;
        },
      },
    },
  });
