/** The files of the API page: those of Swagger UI, the script that starts it, and examples. */
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { ARCHIVE_CONTENT_TYPE } from "../shared/schemas/archive.ts";
import { PCAP_CONTENT_TYPE } from "../shared/schemas/capture-file.ts";

interface PageFile {
  readonly contentType: string;
  readonly load: () => Promise<{ readonly default: Uint8Array }>;
}

const SCRIPT = "text/javascript; charset=utf-8";

/** By the name in the path. The bundle loads each file with the first request for it. */
const FILES: ReadonlyMap<string, PageFile> = new Map([
  [
    "swagger-ui-bundle.js",
    {
      contentType: SCRIPT,
      load: () => import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "bytes" } }),
    },
  ],
  [
    "swagger-ui.css",
    {
      contentType: "text/css; charset=utf-8",
      load: () => import("swagger-ui-dist/swagger-ui.css", { with: { type: "bytes" } }),
    },
  ],
  [
    "favicon.png",
    {
      contentType: "image/png",
      load: () => import("swagger-ui-dist/favicon-32x32.png", { with: { type: "bytes" } }),
    },
  ],
  [
    "first-request.js",
    {
      contentType: SCRIPT,
      load: () => import("./page/first-request.js", { with: { type: "bytes" } }),
    },
  ],
  ["start.js", { contentType: SCRIPT, load: () => import("./page/start.js", { with: { type: "bytes" } }) }],
  // The example bodies are in examples.ts.
  [
    "arp-request.pcap",
    {
      contentType: PCAP_CONTENT_TYPE,
      load: () => import("./page/arp-request.pcap", { with: { type: "bytes" } }),
    },
  ],
  [
    "square.svg",
    {
      contentType: "image/svg+xml",
      load: () => import("./page/square.svg", { with: { type: "bytes" } }),
    },
  ],
  [
    "first-lab.gns3project",
    {
      contentType: ARCHIVE_CONTENT_TYPE,
      load: () => import("./page/first-lab.gns3project", { with: { type: "bytes" } }),
    },
  ],
  [
    "startup.vpc",
    {
      contentType: "text/plain; charset=utf-8",
      load: () => import("./page/startup.vpc", { with: { type: "bytes" } }),
    },
  ],
  [
    "first.lab.yaml",
    {
      contentType: "application/yaml; charset=utf-8",
      load: () => import("./page/first.lab.yaml", { with: { type: "bytes" } }),
    },
  ],
]);

export interface LoadedFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The file in the content coding `br` (RFC 7932). */
  readonly brotli: Uint8Array;
}

/** Higher qualities save a tenth of the size and take seconds in a function with little memory. */
const QUALITY = 5;
const compress = promisify(brotliCompress);

const loaded = new Map<string, Promise<LoadedFile>>();

/** Reads and compresses a file once. @returns undefined if the page has no such file. */
export function loadPageFile(name: string): Promise<LoadedFile> | undefined {
  const file = FILES.get(name);
  if (file === undefined) return undefined;
  const loading = loaded.get(name) ?? load(file);
  loaded.set(name, loading);
  return loading;
}

async function load(file: PageFile): Promise<LoadedFile> {
  const { default: bytes } = await file.load();
  const brotli = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  return { contentType: file.contentType, bytes, brotli };
}
