/** The files of an image, from Debian's packages: what the recipe names, the libraries that it needs, kernel modules, init. */
import type { Archive, Package } from "./archive.ts";
import { readDeb } from "./deb.ts";
import { isElf, neededLibraries, neededModules } from "./elf.ts";
import { type Entry, type FileTree, resolve } from "./file-tree.ts";
import { ImageError } from "./image-error.ts";
import { makeInit } from "./init.ts";
import { BASE, type Recipe } from "./recipe.ts";

const LIBRARY_FOLDERS = ["lib/i386-linux-gnu", "usr/lib/i386-linux-gnu", "lib", "usr/lib"];
/** The first user and group of daemons. */
const FIRST_ID = 100;
const LOADER = "lib/ld-linux.so.2";

export interface Root {
  readonly initrd: ReadonlyMap<string, Entry>;
  readonly kernel: Uint8Array;
  readonly bios: Uint8Array;
  readonly vgaBios: Uint8Array;
  /** The packages of which something may be in the image, with their versions. */
  readonly packages: readonly Pick<Package, "name" | "version" | "sha256">[];
}

/** @param onPackage is called before each package is fetched. */
export async function makeRoot(
  archive: Archive,
  recipe: Recipe,
  onPackage: (name: string, index: number, count: number) => void,
): Promise<Root> {
  const packages = closure(archive, [...BASE.packages, ...recipe.packages]);
  const files = new Map<string, Entry>();
  for (const [index, each] of packages.entries()) {
    onPackage(each.name, index, packages.length);
    for (const [path, entry] of await readDeb(await archive.download(each))) files.set(path, entry);
  }
  const image = new Map<string, Entry>();
  for (const path of [...BASE.paths, ...recipe.paths]) takePath(files, path, image);
  takeLibraries(files, image);
  const modules = takeModules(files, [...BASE.modules, ...recipe.modules], image);
  addText(image, recipe, modules);
  addFolders(image);
  return {
    initrd: image,
    kernel: dataAt(files, /^boot\/vmlinuz-/),
    bios: dataAt(files, /^usr\/share\/seabios\/bios\.bin$/),
    vgaBios: dataAt(files, /^usr\/share\/seabios\/vgabios-stdvga\.bin$/),
    packages: packages.map(({ name, version, sha256 }) => ({ name, version, sha256 })),
  };
}

/** The packages, with the libraries and the kernel that they depend on. */
function closure(archive: Archive, names: readonly string[]): Package[] {
  const found = new Map<string, Package>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const each = archive.find(name);
    found.set(name, each);
    waiting.push(
      ...each.depends.filter((other) => /^(lib|zlib1g|linux-image-)/.test(other) && archive.has(other)),
    );
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A path that no package has is left out: recipes name places of several releases. */
function takePath(files: FileTree, path: string, image: Map<string, Entry>): void {
  const pattern = new RegExp(
    `^${path.replaceAll(/[.+?^$()[\]{}|\\]/g, "\\$&").replaceAll("*", "[^/]*")}(/|$)`,
  );
  for (const [each, entry] of files)
    if (pattern.test(each) && entry.type !== "folder") image.set(each, entry);
}

function takeLibraries(files: FileTree, image: Map<string, Entry>): void {
  const waiting = [...image.keys(), LOADER];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const target = resolve(files, path);
    if (target === undefined) continue;
    if (target !== path) image.set(path, files.get(path)!);
    const entry = files.get(target) as Extract<Entry, { type: "file" }>;
    image.set(target, entry);
    if (!isElf(entry.data)) continue;
    for (const name of neededLibraries(entry.data)) {
      const library = [...LIBRARY_FOLDERS, "usr/lib/i386-linux-gnu/frr"]
        .map((folder) => `${folder}/${name}`)
        .find((each) => files.has(each));
      if (library === undefined)
        throw new ImageError(`no package of the recipe has ${name}, which ${path} needs`);
      if (!image.has(library) || !image.has(resolve(files, library) ?? library)) waiting.push(library);
    }
  }
}

/** @returns names of the modules in the order in which they can be loaded. */
function takeModules(files: FileTree, names: readonly string[], image: Map<string, Entry>): string[] {
  const byName = new Map<string, Uint8Array>();
  for (const [path, entry] of files) {
    const [, name] = /^lib\/modules\/.*\/([^/]+)\.ko$/.exec(path) ?? [];
    if (name !== undefined && entry.type === "file") byName.set(name.replaceAll("-", "_"), entry.data);
  }
  const builtIn = builtInModules(files);
  const order: string[] = [];
  const add = (name: string): void => {
    const module = name.replaceAll("-", "_");
    if (order.includes(module)) return;
    const data = byName.get(module);
    if (data === undefined) {
      if (builtIn.has(module)) return;
      throw new ImageError(`the kernel has no module ${name}`);
    }
    for (const needed of neededModules(data)) add(needed);
    order.push(module);
    image.set(`lib/modules/${module}.ko`, { type: "file", mode: 0o644, data });
  };
  for (const name of names) add(name);
  return order;
}

function builtInModules(files: FileTree): Set<string> {
  for (const [path, entry] of files)
    if (/^lib\/modules\/[^/]+\/modules\.builtin$/.test(path) && entry.type === "file") {
      const lines = new TextDecoder().decode(entry.data).split("\n");
      return new Set(lines.map((line) => /([^/]+)\.ko$/.exec(line)?.[1]?.replaceAll("-", "_") ?? ""));
    }
  return new Set();
}

function addText(image: Map<string, Entry>, recipe: Recipe, modules: readonly string[]): void {
  const add = (path: string, text: string, mode = 0o644) =>
    image.set(path, { type: "file", mode, data: new TextEncoder().encode(text) });
  const users = recipe.users.map((name, index) => ({ name, id: FIRST_ID + index }));
  const groups = Object.entries(recipe.groups).map(
    ([name, members], index) => `${name}:x:${FIRST_ID + users.length + index}:${members.join(",")}`,
  );
  const lines = (...texts: string[]) => `${texts.join("\n")}\n`;
  add("init", makeInit(modules, recipe), 0o755);
  add(
    "etc/passwd",
    lines("root:x:0:0::/root:/bin/sh", ...users.map(({ name, id }) => `${name}:x:${id}:${id}::/:/bin/sh`)),
  );
  add("etc/group", lines("root:x:0:", ...users.map(({ name, id }) => `${name}:x:${id}:`), ...groups));
  add("etc/hosts", "127.0.0.1 localhost\n");
  for (const [path, text] of Object.entries(recipe.files)) add(path, text);
}

function addFolders(image: Map<string, Entry>): void {
  for (const path of [...image.keys()])
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (!image.has(folder)) image.set(folder, { type: "folder", mode: 0o755 });
    }
}

function dataAt(files: FileTree, pattern: RegExp): Uint8Array {
  for (const [path, entry] of files) if (pattern.test(path) && entry.type === "file") return entry.data;
  throw new ImageError(`the packages have no file ${pattern.source}`);
}
