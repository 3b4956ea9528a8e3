/**
 * Builds the npm package `wirelab-construct` in dist: the construct as JavaScript with types, and the bundles of all functions.
 *
 *     npm run pack:construct && npm publish dist/wirelab-construct-*.tgz
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { App } from "aws-cdk-lib";
import { build, type Plugin } from "esbuild";
import { BUNDLED, bundle } from "../bundle.ts";
import { Settings } from "../chosen-settings.ts";
import { repository } from "../package/repository.ts";
import { WirelabStack } from "../stack.ts";
import { bundleName } from "./bundle-name.ts";
import { declarations } from "./declarations.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Together, these stacks have every function. */
const STACKS: readonly Record<string, string>[] = [
  { auth: "basic", helper: "c8i.xlarge" },
  { auth: "jwt", jwt_issuer: "https://issuer.example/", jwt_audience: "wirelab" },
];

/** The path of the package's archive. */
export async function buildConstruct(folder = join(ROOT, "dist")): Promise<string> {
  const target = join(folder, "wirelab-construct");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  bundleFunctions(join(target, "bundles"));
  await bundleConstruct(target);
  writeFileSync(join(target, "index.d.ts"), declarations());
  cpSync(join(ROOT, "infra/edge/viewer-request.js"), join(target, "edge/viewer-request.js"));
  cpSync(join(ROOT, "LICENSE"), join(target, "LICENSE"));
  cpSync(join(ROOT, "examples/cdk-app/README.md"), join(target, "README.md"));
  const { version, peers } = versions();
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest(version, peers), null, 2)}\n`);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, target], { cwd: folder });
  return join(folder, `wirelab-construct-${version}.tgz`);
}

function bundleFunctions(folder: string): void {
  const app = new App({ context: { "aws:cdk:bundling-stacks": [] } });
  for (const [index, settings] of STACKS.entries())
    new WirelabStack(app, `Stack${index}`, { settings: new Settings(settings) });
  for (const { source, entry, addFiles } of BUNDLED.values()) {
    const output = join(folder, bundleName(source, entry));
    bundle(`${source}/${entry}.ts`, output);
    addFiles?.(output, false);
  }
}

/** The modules that bundle functions while a stack is synthesized: the package has the bundles. */
const BUNDLERS = /\/(bundle|guest-files|page\/build)\.ts$/;

const prebuilt: Plugin = {
  name: "prebuilt",
  setup({ onResolve }) {
    onResolve({ filter: BUNDLERS }, () => ({ path: join(ROOT, "infra/construct/prebuilt.ts") }));
  },
};

const bundleConstruct = (target: string) =>
  build({
    absWorkingDir: ROOT,
    entryPoints: { index: "infra/wirelab.ts" },
    outdir: target,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    keepNames: true,
    legalComments: "none",
    logLevel: "error",
    mainFields: ["module", "main"],
    external: ["aws-cdk-lib", "constructs"],
    plugins: [prebuilt],
    banner: { js: 'const require=process.getBuiltinModule("module").createRequire(import.meta.url);' },
  });

function versions(): { version: string; peers: Record<string, string> } {
  const { version, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const names = ["aws-cdk-lib", "constructs"];
  return { version, peers: Object.fromEntries(names.map((name) => [name, devDependencies[name]])) };
}

const manifest = (version: string, peerDependencies: Record<string, string>): object => ({
  name: "wirelab-construct",
  version,
  description: "Wirelab, a network emulation service without servers, as a construct of the AWS CDK",
  keywords: ["aws", "cdk", "construct", "network", "lab", "gns3"],
  license: "MIT",
  ...repository(),
  type: "module",
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  engines: { node: ">=22.18" },
  peerDependencies,
});

if (import.meta.main) {
  const path = await buildConstruct();
  process.stdout.write(`${path}: ${statSync(path).size} bytes\n`);
}
