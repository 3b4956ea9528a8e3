import { begunStream } from "../shared/edge/begun-stream.ts";
import { attachment } from "../shared/edge/http/attachment.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { refuseTooLong } from "../shared/edge/stream-limit.ts";
import { type ReadLab, readLab, toLabCopy } from "../shared/lab-copy/read-lab.ts";
import { deviceFiles } from "../shared/run/device-files.ts";
import { type FileItem, listFiles, readFile } from "../shared/store/file/project-file.ts";
import { getSymbol, readSymbol } from "../shared/store/symbol/symbol.ts";
import { isExported, LAB_FILE, nodeFolder, PROJECT_FILE, symbolEntry } from "./names.ts";
import { type ProjectFileOptions, toProjectFile } from "./project-file.ts";
import type { group } from "./routes.ts";
import { type Compression, type NewEntry, writeZip } from "./zip-writer.ts";

/** An entry whose size is known before it is read. */
interface Entry extends NewEntry {
  readonly sizeBytes: number;
}

/** The name, the date and the sizes of an entry, twice. */
const BYTES_PER_ENTRY = 1_500;
const INDENT = 4;

export const exportProject: Operation<typeof group.routes.exportProject> = async ({
  access,
  params: { project_id },
  query,
}) => {
  const lab = await readLab(access, project_id);
  const options = {
    keepsComputes: query.keep_compute_ids === "yes",
    resetsMacs: query.reset_mac_addresses === "yes",
  };
  const entries = [
    ...documentsOf(lab, options),
    ...deviceEntries(lab),
    ...(await symbolEntries(lab)),
    ...(await listFiles(project_id)).filter(({ file_path }) => isExported(file_path)).map(fileEntry),
  ];
  const bytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes + BYTES_PER_ENTRY, 0);
  refuseTooLong(bytes, "replace large files of the project by smaller ones");
  const compression = (query.compression ?? "zip") as Compression;
  const body = await begunStream(() => writeZip(entries, compression), 1);
  const headers = { "content-disposition": attachment(`${lab.whole.project.name}.gns3project`) };
  return { status: 200, body, headers };
};

function textEntry(name: string, text: string): Entry {
  const bytes = Buffer.from(text);
  return { name, sizeBytes: bytes.length, read: async () => bytes };
}

const documentsOf = (lab: ReadLab, options: ProjectFileOptions): Entry[] => [
  textEntry(PROJECT_FILE, JSON.stringify(toProjectFile(lab, options), null, INDENT)),
  textEntry(LAB_FILE, JSON.stringify(toLabCopy(lab))),
];

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

const fileEntry = ({ project_id, file_path, size_bytes, modified_ms }: FileItem): Entry => ({
  name: file_path,
  sizeBytes: size_bytes,
  modifiedMs: modified_ms,
  read: async () => (await readFile(project_id, file_path))!.bytes!,
});
