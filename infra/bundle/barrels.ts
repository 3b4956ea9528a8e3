/**
 * Lets the SDK's modules import from where a thing is declared. They import from barrels, modules that gather what a
 * package has. To esbuild whoever loads a barrel may need whatever of it is used anywhere, so that what S3's client alone
 * uses, such as XML, would be loaded with DynamoDB's.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OnLoadArgs, OnLoadResult, Plugin, PluginBuild } from "esbuild";

const SDK = /[\\/]node_modules[\\/](@aws-sdk|@smithy)[\\/].*[\\/]dist-es[\\/].*\.js$/;
const BARREL = /[\\/]dist-es[\\/](submodules[\\/][\w-]+[\\/])?index\.js$/;

const IMPORT = /^import \{([^{}]*)\} from "([^"\n]+)";$/gm;
const RE_EXPORT = /^export \{([^{}]*)\} from "([^"\n]+)";$/gm;

interface Declared {
  /** A path, or the name of another package's barrel. */
  readonly module: string;
  /** The name there. */
  readonly name: string;
}

/** `"a, b as c"` -> pairs of the name there and the name here. */
function* namesOf(list: string): Generator<[there: string, here: string]> {
  for (const entry of list.split(",")) {
    const [there, here = there] = entry.trim().split(" as ");
    if (there) yield [there, here!];
  }
}

/** Where a barrel has its names from; those that it declares itself are not in it. */
export function readBarrel(file: string, source: string): Map<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const [, list, from] of source.matchAll(RE_EXPORT)) {
    const module = from!.startsWith(".") ? join(dirname(file), from!) : from!;
    for (const [name, exported] of namesOf(list!)) declared.set(exported, { module, name });
  }
  return declared;
}

/** The imports from one barrel, spread over the modules where the names are declared. */
export function spreadImport(list: string, barrel: ReadonlyMap<string, Declared>, specifier: string): string {
  const lines = Array.from(namesOf(list), ([there, here]) => {
    const { module, name } = barrel.get(there) ?? { module: specifier, name: there };
    return `import { ${name} as ${here} } from ${JSON.stringify(module)};`;
  });
  return lines.join(" ");
}

export const barrels: Plugin = {
  name: "barrels",
  setup(build) {
    const known = new Map<string, Promise<Map<string, Declared> | undefined>>();
    build.onLoad({ filter: SDK }, (file) => load(build, known, file));
  },
};

async function load(
  build: PluginBuild,
  known: Map<string, Promise<Map<string, Declared> | undefined>>,
  { path }: OnLoadArgs,
): Promise<OnLoadResult> {
  const source = readFileSync(path, "utf8");
  const resolveDir = dirname(path);
  const find = async (specifier: string) => {
    const { path: file } = await build.resolve(specifier, {
      importer: path,
      resolveDir,
      kind: "import-statement",
    });
    return BARREL.test(file) ? readBarrel(file, readFileSync(file, "utf8")) : undefined;
  };
  const specifiers = new Set(Array.from(source.matchAll(IMPORT), ([, , specifier]) => specifier!));
  const found = new Map<string, Map<string, Declared>>();
  for (const specifier of specifiers) {
    // Relative ones are few; packages are the same for all, since there is one copy of each.
    if (specifier.startsWith(".") || specifier.startsWith("node:")) continue;
    if (!known.has(specifier)) known.set(specifier, find(specifier));
    const barrel = await known.get(specifier);
    if (barrel) found.set(specifier, barrel);
  }
  const contents = source.replace(IMPORT, (statement, list: string, specifier: string) => {
    const barrel = found.get(specifier);
    return barrel ? spreadImport(list, barrel, specifier) : statement;
  });
  return { contents, loader: "js", resolveDir };
}
