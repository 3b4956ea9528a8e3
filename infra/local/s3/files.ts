/** The operations of the file system that the local S3 uses. Tests replace them by a file system that forgets what was not synchronized. */
import { rmdirSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, unlink } from "node:fs/promises";

/** An open file, as far as the local S3 uses it. */
export interface OpenFile {
  appendFile(bytes: Uint8Array): Promise<void>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  stat(): Promise<{ readonly size: number; readonly mtime: Date }>;
  /** Waits until the disk has the content of a file, or the entries of a folder. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  open(path: string, flags: "r" | "wx"): Promise<OpenFile>;
  /** @returns the first folder that was made; undefined if all existed. */
  mkdir(path: string, options: { readonly recursive: true }): Promise<string | undefined>;
  readdir(
    path: string,
    options: { readonly withFileTypes: true },
  ): Promise<readonly { readonly name: string; isDirectory(): boolean }[]>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rm(path: string, options: { readonly recursive: true; readonly force: true }): Promise<void>;
  rmdirSync(path: string): void;
}

export const DISK: Files = { open, mkdir, readdir, rename, unlink, rm, rmdirSync };

/** Data that are deleted at the end need not reach the disk. */
export const UNSYNCHRONIZED: Files = {
  ...DISK,
  async open(path, flags) {
    const file = await open(path, flags);
    return Object.assign(file, { sync: async () => {} });
  },
};

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** Waits until the disk has the entries of a folder. Windows has no such call: NTFS has a journal of its names. */
export async function syncFolder(files: Files, folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await files.open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @returns false if there is no such file. */
export async function unlinkIfThere(files: Files, path: string): Promise<boolean> {
  try {
    await files.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const READ_BYTES = 65_536;

/** Yields the bytes from `start` to before `end`. @throws Error when the file is shorter. */
export async function* readBytes(file: OpenFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error(`the file ends at byte ${at}, before ${end}`);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

export async function readWhole(files: Files, path: string): Promise<Buffer> {
  const file = await files.open(path, "r");
  try {
    const { size } = await file.stat();
    const parts: Uint8Array[] = [];
    for await (const part of readBytes(file, 0, size)) parts.push(part);
    return Buffer.concat(parts);
  } finally {
    await file.close();
  }
}
