/** Reads the files of a Linux guest: texts, files and folders of the user. */
import type { Path, Problems } from "../file/problem.ts";
import type { LoadFile } from "./read-replay.ts";

/** What there is at a path that a lab file names. */
export type Found =
  | { readonly kind: "file"; readonly isExecutable: boolean }
  /** Paths of the files in it, with slashes, relative to the folder. */
  | { readonly kind: "folder"; readonly files: readonly string[] };

/** @throws Error in words if there is neither a file nor a folder. */
export type LookAt = (path: string) => Found;

export interface GuestFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly binaries?: Readonly<Record<string, string>>;
  readonly executables?: readonly string[];
}

type GivenFile = string | { readonly from: string };

/** The start of a node writes them, which takes a guest a second for each mebibyte. */
const MOST_BYTES = 4 * 1_048_576;

export function readGuestFiles(
  given: Readonly<Record<string, GivenFile>>,
  { load, look }: { readonly load: LoadFile; readonly look: LookAt | undefined },
  path: Path,
  problems: Problems,
): GuestFiles {
  const files: Record<string, string> = {};
  const binaries: Record<string, string> = {};
  const executables: string[] = [];
  let bytes = 0;
  const read = (target: string, from: string, isExecutable: boolean): void => {
    const data = load(from);
    bytes += data.length;
    const text = textOf(data);
    if (text === undefined) binaries[target] = toBase64(data);
    else files[target] = text;
    if (isExecutable) executables.push(target);
  };
  for (const [target, file] of Object.entries(given)) {
    if (typeof file === "string") {
      files[target] = file;
      continue;
    }
    try {
      const found = look?.(file.from) ?? { kind: "file", isExecutable: false };
      if (found.kind === "file") read(target, file.from, found.isExecutable);
      else
        for (const each of found.files) {
          const inside = look?.(`${file.from}/${each}`);
          read(`${target}/${each}`, `${file.from}/${each}`, inside?.kind === "file" && inside.isExecutable);
        }
    } catch (error) {
      problems.add([...path, "files", target], `cannot be read: ${(error as Error).message}.`);
    }
  }
  if (bytes > MOST_BYTES)
    problems.add(
      [...path, "files"],
      `has ${bytes} bytes; the limit is ${MOST_BYTES}. Leave out what the node does not read.`,
    );
  return {
    files,
    ...(Object.keys(binaries).length > 0 && { binaries }),
    ...(executables.length > 0 && { executables }),
  };
}

/** @returns undefined for bytes that a shell script cannot have. */
function textOf(data: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(data);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const CHUNK_BYTES = 4_096;

function toBase64(data: Uint8Array): string {
  let characters = "";
  for (let at = 0; at < data.length; at += CHUNK_BYTES)
    characters += String.fromCharCode(...data.subarray(at, at + CHUNK_BYTES));
  return btoa(characters);
}
