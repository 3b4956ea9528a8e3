/** HTTP/1.1 (RFC 9112) with static files: GET and HEAD. Bodies are sent as UTF-8. */

import { textOf } from "../tcp/receive-queue.ts";
import type { HttpConfig } from "./settings.ts";

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  505: "HTTP Version Not Supported",
};

export interface Answer {
  /** One character per byte. */
  readonly text: string;
  /** The connection closes after it. */
  readonly isLast: boolean;
}

/** @param head the request line and the fields, without the empty line. */
export function answerRequest(head: string, { files }: HttpConfig): Answer {
  const [line = "", ...fields] = head.split("\r\n");
  const [method = "", target = "", version = ""] = line.split(" ");
  const isOld = version === "HTTP/1.0";
  const isLast = isOld || fields.some((field) => /^connection:.*\bclose\b/i.test(field));
  if (!/^HTTP\/\d\.\d$/.test(version)) return respond(400, "", false, true);
  if (version !== "HTTP/1.1" && !isOld) return respond(505, "", false, true);
  if (method !== "GET" && method !== "HEAD") return respond(405, "", false, true);
  const [path = ""] = target.split("?");
  const body = Object.hasOwn(files, path) ? files[path] : undefined;
  return respond(body === undefined ? 404 : 200, body ?? "", method === "HEAD", isLast);
}

function respond(status: number, body: string, isHead: boolean, isLast: boolean): Answer {
  const bytes = textOf(utf8(body));
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    "Server: wirelab",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${bytes.length}`,
    ...(status === 405 ? ["Allow: GET, HEAD"] : []),
    ...(isLast ? ["Connection: close"] : []),
  ];
  return { text: `${head.join("\r\n")}\r\n\r\n${isHead ? "" : bytes}`, isLast };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
