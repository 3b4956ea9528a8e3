/** The entries of an archive: the lab as documents, files of devices, uploaded symbols, files of the project. */
import { withoutGuests } from "../shared/lab-copy/copy-guests.ts";
import { type ReadLab, toLabCopy } from "../shared/lab-copy/read-lab.ts";
import { deviceFiles } from "../shared/run/device-files.ts";
import { getSymbol, readSymbol } from "../shared/store/symbol/symbol.ts";
import { isExported, LAB_FILE, nodeFolder, PROJECT_FILE, symbolEntry } from "./names.ts";
import { type ProjectFileOptions, toProjectFile } from "./project-file.ts";
import type { NewEntry } from "./zip-writer.ts";

/** An entry whose size is known before it is read. */
export interface Entry extends NewEntry {
  readonly sizeBytes: number;
}

type StoredFile = ReadLab["contents"]["files"][number];

/** The name, the date and the sizes of an entry, twice. */
const BYTES_PER_ENTRY = 1_500;
const INDENT = 4;

/** @param readFile returns the bytes of a file of the project. */
export async function entriesOf(
  lab: ReadLab,
  options: ProjectFileOptions,
  readFile: (file: StoredFile) => Promise<Uint8Array>,
): Promise<Entry[]> {
  const files = lab.contents.files.filter(({ file_path }) => isExported(file_path));
  return [
    jsonEntry(PROJECT_FILE, toProjectFile(lab, options), INDENT),
    // An import switches nodes off, and a guest's state is larger than the lab.
    jsonEntry(LAB_FILE, withoutGuests(toLabCopy(lab))),
    ...deviceEntries(lab),
    ...(await symbolEntries(lab)),
    ...files.map((file) => ({
      name: file.file_path,
      sizeBytes: file.size_bytes,
      modifiedMs: file.modified_ms,
      read: () => readFile(file),
    })),
  ];
}

/** Returns a bound for the bytes of an archive, whatever its compression. */
export const boundOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { sizeBytes }) => sum + sizeBytes + BYTES_PER_ENTRY, 0);

export const jsonEntry = (name: string, value: unknown, indent?: number): Entry =>
  textEntry(name, JSON.stringify(value, null, indent));

function textEntry(name: string, text: string): Entry {
  const bytes = Buffer.from(text);
  return { name, sizeBytes: bytes.length, read: async () => bytes };
}

const deviceEntries = ({ contents }: ReadLab): Entry[] =>
  contents.nodes.flatMap((node) =>
    [...deviceFiles(node)].map(([name, text]) =>
      textEntry(nodeFolder(node.document.node_type, node.node_id) + name, text),
    ),
  );

/** A built-in symbol has no entry, because every stack has it. */
async function symbolEntries({ contents }: ReadLab): Promise<Entry[]> {
  const ids = new Set(contents.nodes.map(({ document }) => document.symbol));
  const found = await Promise.all([...ids].filter((id) => !id.startsWith(":/")).map(getSymbol));
  return found.flatMap((symbol) =>
    symbol === undefined
      ? []
      : [
          {
            name: symbolEntry(symbol.symbol_id),
            sizeBytes: symbol.size_bytes,
            // A symbol that was deleted meanwhile is an empty entry, which an import ignores.
            read: async () => (await readSymbol(symbol.symbol_id))?.bytes ?? new Uint8Array(0),
          },
        ],
  );
}
