/** The files of the page, which the stack's synthesis puts beside the function's bundle: infra/page/build.ts. */
import { readFile } from "node:fs/promises";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  gns3project: "application/octet-stream",
  yaml: "application/yaml; charset=utf-8",
};

export interface PageFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The bytes have the content coding `br` (RFC 7932). */
  readonly isBrotli: boolean;
}

/** A name cannot leave the folder: it has no slash, and begins with a letter, a digit, `-` or `_`. */
const NAME = /^[\w-][\w.-]*\.(\w+)$/;

/**
 * Reads a file of the page.
 * @param folder URL of the folder with the files; each has a compressed copy with the suffix `.br`.
 * @returns undefined if the page has no such file.
 */
export async function readPageFile(
  folder: URL,
  name: string,
  acceptsBrotli: boolean,
): Promise<PageFile | undefined> {
  const [, extension = ""] = NAME.exec(name) ?? [];
  const contentType = TYPES[extension];
  if (contentType === undefined) return undefined;
  try {
    const bytes = await readFile(new URL(acceptsBrotli ? `${name}.br` : name, folder));
    return { contentType, bytes, isBrotli: acceptsBrotli };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
