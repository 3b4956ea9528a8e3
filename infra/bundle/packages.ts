/** What the bundler is told of packages: which of their parts stay out, and which have no effect by being loaded. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OnResolveResult, Plugin } from "esbuild";

const replacement = (name: string): string =>
  fileURLToPath(new URL(`replacements/${name}.ts`, import.meta.url));

/** Modules for which another one stands in. A stand-in that lacks an export that is used fails the build. */
export const REPLACED: readonly { readonly module: RegExp; readonly by: string }[] = [
  {
    module: /@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    by: replacement("credentials"),
  },
  {
    module: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/,
    by: replacement("event-streams"),
  },
  {
    module: /@aws-sdk\/middleware-endpoint-discovery\/dist-es\/index\.js$/,
    by: replacement("endpoint-discovery"),
  },
  {
    module: /@smithy\/core\/dist-es\/submodules\/retry\/util-retry\/AdaptiveRetryStrategy\.js$/,
    by: replacement("adaptive-retries"),
  },
  {
    module: /@smithy\/core\/dist-es\/submodules\/config\/node-config-provider\/fromSharedConfigFiles\.js$/,
    by: replacement("profiles"),
  },
  {
    module: /@smithy\/core\/dist-es\/.*\/regionConfig\/getInstanceMetadataRegion\.js$/,
    by: replacement("instance-region"),
  },
  {
    module: /@aws-sdk\/core\/dist-es\/submodules\/client\/emitWarningIfUnsupportedVersion\.js$/,
    by: replacement("node-versions"),
  },
  { module: /@smithy\/signature-v4\/dist-es\/HeaderFormatter\.js$/, by: replacement("event-headers") },
  { module: /@aws\/lambda-invoke-store\/dist-es\/invoke-store\.js$/, by: replacement("invoke-store") },
  { module: /\/(Md5Js|Sha1Js|Sha256Js)\.js$/, by: replacement("script-hashes") },
];

/**
 * What packages load by `import()` when they need it, and never need here: it is asked of Node by name, and is not there.
 * The first is for browsers; the second for operations with a stream of events.
 */
export const NEVER_LOADED = ["bowser", "@smithy/core/event-streams"];

/** What must not get into a bundle: were a package laid out anew, a stand-in would no longer be found. */
export const LEFT_OUT =
  /node_modules\/(@aws-sdk\/(credential-provider-(?!env\/)|middleware-endpoint-discovery\/|endpoint-cache\/|token-providers\/|nested-clients\/)|bowser\/|mnemonist\/)|\/event-streams\/|\/DefaultRateLimiter\.js$|\/parseIni\.js$|dist-cjs\//;

/**
 * Packages that do not say `"sideEffects": false` of themselves, and whose modules only declare things: those that
 * nothing is used of can go, though a barrel names them.
 */
const DECLARING = /node_modules\/(dynamodb-toolbox|@aws-sdk\/lib-|@aws-lambda-powertools\/|@middy\/)/;

/**
 * Imports that this is about. Asking for every one would take most of the time that bundling takes; what slips through
 * is found in what comes out.
 */
const ASKED_FOR =
  /\.js$|(Md5|Sha1|Sha256)Js$|^(bowser|dynamodb-toolbox|@aws-lambda-powertools|@middy|@aws-sdk\/lib-)|event-streams|lambda-invoke-store|HeaderFormatter$|AdaptiveRetryStrategy$|emitWarningIfUnsupportedVersion$|getInstanceMetadataRegion$|fromSharedConfigFiles$|credential-provider-node|endpoint-discovery/;

/** Marks what this plugin asks esbuild itself. */
const ASKED = Symbol("asked");

/** A file in a package as it is written there, for which nobody has to be asked where it is. */
const isSpelledOut = (path: string): boolean => /^\.\.?\/.*\.js$/.test(path);

/** @returns undefined when there is nothing to say of the module: esbuild resolves it. */
function judge(file: string): OnResolveResult | undefined {
  const by = REPLACED.find(({ module }) => module.test(file))?.by;
  if (by !== undefined) return { path: by };
  return DECLARING.test(file) ? { path: file, sideEffects: false } : undefined;
}

export const packages: Plugin = {
  name: "packages",
  setup(build) {
    build.onResolve({ filter: ASKED_FOR }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === ASKED || kind === "entry-point") return undefined;
      if (kind === "dynamic-import" && NEVER_LOADED.includes(path)) return { path, external: true };
      if (isSpelledOut(path)) return judge(join(resolveDir, path));
      const resolved = await build.resolve(path, { importer, resolveDir, kind, pluginData: ASKED });
      if (resolved.errors.length > 0 || resolved.external) return resolved;
      return judge(resolved.path) ?? resolved;
    });
  },
};
