/**
 * A file system in memory that forgets at a power cut what was not synchronized: the content of a file since its last `sync`, and the
 * entries of a folder since that of the folder. What is left of the rest is drawn: the disk may have written it or not.
 */
import { basename, dirname } from "node:path";
import type { Files, OpenFile } from "../../../infra/local/s3/files.ts";

class FileNode {
  content: Buffer = Buffer.alloc(0);
  onDisk: Buffer | undefined;
}

class FolderNode {
  entries = new Map<string, FileNode | FolderNode>();
  onDisk = new Map<string, FileNode | FolderNode>();
}

class PowerCut extends Error {}

export class ForgetfulFiles implements Files {
  #root = new FolderNode();
  /** The number of operations before the power fails. */
  #left: number;

  constructor(operations = Number.POSITIVE_INFINITY) {
    this.#left = operations;
  }

  get isOff(): boolean {
    return this.#left <= 0;
  }

  /** @param draw whether the disk has written a thing that was not synchronized. @returns the file system after the power is back. */
  afterCut(draw: () => boolean, operations?: number): ForgetfulFiles {
    const files = new ForgetfulFiles(operations);
    files.#root = survivor(this.#root, draw);
    return files;
  }

  /** The paths of all files. */
  get paths(): string[] {
    const below = (folder: FolderNode, path: string): string[] =>
      [...folder.entries].flatMap(([name, node]) =>
        node instanceof FolderNode ? below(node, `${path}/${name}`) : [`${path}/${name}`],
      );
    return below(this.#root, "");
  }

  async open(path: string, flags: "r" | "wx"): Promise<OpenFile> {
    this.#spend();
    const folder = this.#folder(dirname(path));
    if (flags === "wx") {
      if (folder.entries.has(basename(path))) throw failure("EEXIST", path);
      folder.entries.set(basename(path), new FileNode());
    }
    const node = this.#find(path);
    const spend = () => this.#spend();
    return {
      async appendFile(bytes) {
        spend();
        if (node instanceof FileNode) node.content = Buffer.concat([node.content, bytes]);
      },
      async read(buffer, offset, length, position) {
        spend();
        if (node instanceof FolderNode) throw failure("EISDIR", path);
        const part = node.content.subarray(position, position + length);
        buffer.set(part, offset);
        return { bytesRead: part.length };
      },
      async stat() {
        spend();
        return { size: node instanceof FileNode ? node.content.length : 0, mtime: new Date(0) };
      },
      async sync() {
        spend();
        if (node instanceof FileNode) node.onDisk = node.content;
        else node.onDisk = new Map(node.entries);
      },
      async close() {},
    };
  }

  async mkdir(path: string): Promise<string | undefined> {
    this.#spend();
    let folder = this.#root;
    let made: string | undefined;
    let at = "";
    for (const name of path.split("/").filter(Boolean)) {
      at += `/${name}`;
      let next = folder.entries.get(name);
      if (next === undefined) {
        next = new FolderNode();
        folder.entries.set(name, next);
        made ??= at;
      }
      if (next instanceof FileNode) throw failure("ENOTDIR", path);
      folder = next;
    }
    return made;
  }

  async readdir(path: string) {
    this.#spend();
    return [...this.#folder(path).entries].map(([name, node]) => ({
      name,
      isDirectory: () => node instanceof FolderNode,
    }));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#spend();
    const node = this.#find(from);
    const target = this.#folder(dirname(to));
    target.entries.set(basename(to), node);
    this.#folder(dirname(from)).entries.delete(basename(from));
  }

  async unlink(path: string): Promise<void> {
    this.#spend();
    this.#find(path);
    this.#folder(dirname(path)).entries.delete(basename(path));
  }

  async rm(path: string): Promise<void> {
    this.#spend();
    this.#folder(dirname(path)).entries.delete(basename(path));
  }

  rmdirSync(path: string): void {
    this.#spend();
    if (this.#folder(path).entries.size > 0) throw failure("ENOTEMPTY", path);
    this.#folder(dirname(path)).entries.delete(basename(path));
  }

  #spend(): void {
    if (this.#left <= 0) throw new PowerCut("the power is off");
    this.#left--;
  }

  #find(path: string): FileNode | FolderNode {
    let node: FileNode | FolderNode = this.#root;
    for (const name of path.split("/").filter(Boolean)) {
      const next: FileNode | FolderNode | undefined =
        node instanceof FolderNode ? node.entries.get(name) : undefined;
      if (next === undefined) throw failure("ENOENT", path);
      node = next;
    }
    return node;
  }

  #folder(path: string): FolderNode {
    const node = this.#find(path);
    if (node instanceof FileNode) throw failure("ENOTDIR", path);
    return node;
  }
}

function failure(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** Each entry is drawn on its own, because a disk writes in any order. */
function survivor(folder: FolderNode, draw: () => boolean): FolderNode {
  const left = new FolderNode();
  for (const name of new Set([...folder.entries.keys(), ...folder.onDisk.keys()])) {
    const [now, durable] = [folder.entries.get(name), folder.onDisk.get(name)];
    const node = now === durable || draw() ? now : durable;
    if (node instanceof FolderNode) left.entries.set(name, survivor(node, draw));
    if (node instanceof FileNode) left.entries.set(name, remains(node, draw));
  }
  left.onDisk = new Map(left.entries);
  return left;
}

/** Without a `sync`, a file may be empty or cut short. */
function remains({ content, onDisk }: FileNode, draw: () => boolean): FileNode {
  const left = new FileNode();
  if (onDisk?.equals(content)) left.content = content;
  else if (draw()) left.content = draw() ? content : content.subarray(0, content.length / 2);
  else left.content = onDisk ?? Buffer.alloc(0);
  left.onDisk = left.content;
  return left;
}
