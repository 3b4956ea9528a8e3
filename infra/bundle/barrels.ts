/**
 * Lets the SDK's modules import from where a thing is declared. They import from barrels, modules that gather what a
 * package has. To esbuild whoever loads a barrel may need whatever of it is used anywhere, so that what S3's client alone
 * uses, such as XML, would be loaded with DynamoDB's.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin, PluginBuild } from "esbuild";

const SDK = /[\\/]node_modules[\\/](@aws-sdk|@smithy)[\\/].*[\\/]dist-es[\\/].*\.js$/;
const BARREL = /[\\/]dist-es[\\/](submodules[\\/][\w-]+[\\/])?index\.js$/;

const IMPORT = /^import \{([^{}]*)\} from "([^"\n]+)";$/gm;
const RE_EXPORT = /^export \{([^{}]*)\} from "([^"\n]+)";$/gm;
const EXPORT = /^export \{([^{}]*)\};$/gm;

/** Where the names that a barrel has are declared. */
type Barrel = ReadonlyMap<string, Declared>;

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
  const locate = (from: string): string => (from.startsWith(".") ? join(dirname(file), from) : from);
  for (const [, list, from] of source.matchAll(RE_EXPORT)) {
    for (const [name, exported] of namesOf(list!)) declared.set(exported, { module: locate(from!), name });
  }
  const imported = new Map<string, Declared>();
  for (const [, list, from] of source.matchAll(IMPORT)) {
    for (const [name, here] of namesOf(list!)) imported.set(here, { module: locate(from!), name });
  }
  for (const [, list] of source.matchAll(EXPORT)) {
    for (const [here, exported] of namesOf(list!)) {
      const origin = imported.get(here);
      if (origin) declared.set(exported, origin);
    }
  }
  return declared;
}

/** What a barrel declares itself is a module of its own: whoever needs it would load all the others otherwise. */
const OWN = "?own";
const OWN_NAME = /^export (?:const|class|function|async function) (\w+)/gm;

export const ownNames = (source: string): string[] =>
  Array.from(source.matchAll(OWN_NAME), ([, name]) => name!);

/** The barrel without what it declares itself, and that alone. */
export function splitBarrel(file: string, source: string): { rest: string; own: string } {
  const own = source.replace(RE_EXPORT, "");
  const gathered = Array.from(source.matchAll(RE_EXPORT), ([statement]) => statement);
  return { rest: [...gathered, `export * from ${JSON.stringify(file + OWN)};`].join("\n"), own };
}

/** The imports from one barrel, spread over the modules where the names are declared. */
export function spreadImport(list: string, barrel: Barrel, specifier: string): string {
  const lines = Array.from(namesOf(list), ([there, here]) => {
    const { module, name } = barrel.get(there) ?? { module: specifier, name: there };
    return `import { ${name} as ${here} } from ${JSON.stringify(module)};`;
  });
  return lines.join(" ");
}

/** Of the barrels that packages export; read when they are first asked for. */
class Barrels {
  readonly #build: PluginBuild;
  readonly #known = new Map<string, Promise<Barrel | undefined>>();

  constructor(build: PluginBuild) {
    this.#build = build;
  }

  /** @returns undefined when it is no barrel. Packages are the same for all who ask, since there is one copy of each. */
  find(specifier: string, resolveDir: string): Promise<Barrel | undefined> {
    const known = this.#known.get(specifier);
    if (known !== undefined) return known;
    const barrel = this.#read(specifier, resolveDir);
    this.#known.set(specifier, barrel);
    return barrel;
  }

  async #read(specifier: string, resolveDir: string): Promise<Barrel | undefined> {
    const { path } = await this.#build.resolve(specifier, { resolveDir, kind: "import-statement" });
    if (!BARREL.test(path)) return undefined;
    const source = readFileSync(path, "utf8");
    const declared = readBarrel(path, source);
    for (const name of ownNames(source)) declared.set(name, { module: path + OWN, name });
    // A barrel may have names from another package's.
    for (const [exported, { module, name }] of declared) {
      if (!isOtherPackage(module)) continue;
      const origin = (await this.find(module, dirname(path)))?.get(name);
      if (origin) declared.set(exported, origin);
    }
    return declared;
  }
}

const isOtherPackage = (module: string): boolean => !/^([./]|node:|[A-Za-z]:)/.test(module);

function readPart(path: string, suffix: string): string {
  const source = readFileSync(path, "utf8");
  if (!BARREL.test(path) || ownNames(source).length === 0) return source;
  const { rest, own } = splitBarrel(path, source);
  return suffix === OWN ? own : rest;
}

export const barrels: Plugin = {
  name: "barrels",
  setup(build) {
    const all = new Barrels(build);
    build.onResolve({ filter: /\?own$/ }, ({ path }) => ({
      path: path.slice(0, -OWN.length),
      suffix: OWN,
      sideEffects: false,
    }));
    build.onLoad({ filter: SDK }, async ({ path, suffix }) => {
      const source = readPart(path, suffix);
      const resolveDir = dirname(path);
      const found = new Map<string, Barrel>();
      for (const [, , specifier] of source.matchAll(IMPORT)) {
        if (!isOtherPackage(specifier!)) continue;
        const barrel = await all.find(specifier!, resolveDir);
        if (barrel) found.set(specifier!, barrel);
      }
      const contents = source.replace(IMPORT, (statement, list: string, specifier: string) => {
        const barrel = found.get(specifier);
        return barrel ? spreadImport(list, barrel, specifier) : statement;
      });
      return { contents, loader: "js", resolveDir };
    });
  },
};
