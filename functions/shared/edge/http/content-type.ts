/** The media type of a file by the extension of its name; the reader of a page of text expects UTF-8. */

const TEXT = "text/plain; charset=utf-8";

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ["txt", TEXT],
  ["md", TEXT],
  ["log", TEXT],
  ["cfg", TEXT],
  ["conf", TEXT],
  ["vpc", TEXT],
  ["csv", "text/csv; charset=utf-8"],
  ["html", "text/html; charset=utf-8"],
  ["json", "application/json"],
  ["gns3", "application/json"],
  ["xml", "application/xml"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["gz", "application/gzip"],
  ["pcap", "application/vnd.tcpdump.pcap"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["svg", "image/svg+xml"],
]);

export function contentTypeOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION.get(extension) ?? "application/octet-stream";
}
