/**
 * Reads the impairments of all links of a lab with one request. Lists and events of links do not have them, and a request for each link
 * would be too many, so this reads the beginning of the lab's archive, which has them.
 */
import { send } from "../api/call.ts";
import type { Settings } from "../link/impairment-fields.ts";

/** The document in the archive that has what `project.gns3` cannot have (functions/archives/names.ts). */
const LAB_FILE = "wirelab/lab.json";

interface LabFile {
  readonly links?: readonly {
    readonly link_id: string;
    readonly document?: { readonly impairments?: { readonly settings?: Settings } };
  }[];
}

/**
 * @param path of the project.
 * @returns the impairments by link id, of the links that have any.
 * @throws ApiProblem if the service cannot export the lab.
 */
export async function readImpairments(path: string, signal: AbortSignal): Promise<Map<string, Settings>> {
  const ending = new AbortController();
  const { body } = await send("GET", `${path}/export`, { signal: AbortSignal.any([signal, ending.signal]) });
  const text = await readEntry(body!, LAB_FILE);
  // The files of the project follow; they can be large.
  ending.abort();
  const { links = [] } = JSON.parse(text || "{}") as LabFile;
  return new Map(
    links.flatMap(({ link_id, document }) => {
      const settings = document?.impairments?.settings;
      return settings === undefined ? [] : [[link_id, settings] as const];
    }),
  );
}

/** Returns the text of an entry of a zip archive; empty without it. */
async function readEntry(archive: ReadableStream<Uint8Array>, name: string): Promise<string> {
  const { Unzip, UnzipInflate } = await import("fflate");
  const decoder = new TextDecoder();
  let text = "";
  let isWhole = false;
  const unzip = new Unzip((file) => {
    if (file.name !== name) return;
    file.ondata = (error, bytes, isLast) => {
      if (error) throw error;
      text += decoder.decode(bytes, { stream: !isLast });
      isWhole = isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  const reader = archive.getReader();
  while (!isWhole) {
    const { done, value } = await reader.read();
    unzip.push(value ?? new Uint8Array(0), done);
    if (done) break;
  }
  return text;
}
