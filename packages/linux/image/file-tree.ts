/** Files of packages, and of an image. */

export type Entry =
  | { readonly type: "file"; readonly mode: number; readonly data: Uint8Array }
  | { readonly type: "folder"; readonly mode: number }
  | { readonly type: "link"; readonly mode: number; readonly target: string };

/** By path, without a leading slash. */
export type FileTree = ReadonlyMap<string, Entry>;

/** Follows symbolic links. @returns the path of the file, or undefined if there is none. */
export function resolve(tree: FileTree, path: string): string | undefined {
  let at: string | undefined = path;
  for (let step = 0; step < 16 && at !== undefined; step++) {
    const entry: Entry | undefined = tree.get(at);
    if (entry?.type !== "link") return entry?.type === "file" ? at : undefined;
    at = join(at, entry.target);
  }
  return undefined;
}

/** The path to which a link at `from` leads. */
export function join(from: string, target: string): string {
  const parts = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
