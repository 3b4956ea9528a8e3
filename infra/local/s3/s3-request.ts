/** Reads what a request to S3 asks for, and refuses what the local S3 does not have. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { S3Error } from "./s3-error.ts";

export interface S3Request {
  readonly method: string;
  readonly bucket: string;
  /** Empty for a request about the bucket. */
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly incoming: IncomingMessage;
}

/** The credentials of the only account. Data folders of earlier releases, and scripts, know them. */
export const EMBEDDED_CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" } as const;

const QUERY = new Set([
  "continuation-token",
  "delete",
  "list-type",
  "max-keys",
  "partNumber",
  "prefix",
  "start-after",
  "uploadId",
  "uploads",
  "x-id",
  // Presigned URLs.
  "X-Amz-Algorithm",
  "X-Amz-Checksum-Mode",
  "X-Amz-Content-Sha256",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-Security-Token",
  "X-Amz-Signature",
  "X-Amz-SignedHeaders",
  "X-Amz-User-Agent",
  "x-amz-checksum-mode",
  "x-amz-user-agent",
]);

/** Query parameter of a download -> header of its response. */
export const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  "response-cache-control": "cache-control",
  "response-content-disposition": "content-disposition",
  "response-content-encoding": "content-encoding",
  "response-content-language": "content-language",
  "response-content-type": "content-type",
  "response-expires": "expires",
};

const HEADERS =
  /^x-amz-(checksum-.*|content-sha256|copy-source|date|decoded-content-length|meta-.*|mp-object-size|sdk-checksum-algorithm|security-token|trailer|user-agent)$/;

/** @throws S3Error */
export function readRequest(incoming: IncomingMessage): S3Request {
  const { method = "", url = "/", headers } = incoming;
  const at = new URL(url, "http://s3.localhost");
  const query = Object.fromEntries(at.searchParams);
  for (const name of Object.keys(query))
    if (!QUERY.has(name) && RESPONSE_HEADERS[name] === undefined)
      throw new S3Error("NotImplemented", `the parameter ${name}`);
  for (const name of Object.keys(headers))
    if (name.startsWith("x-amz-") && !HEADERS.test(name))
      throw new S3Error("NotImplemented", `the header ${name}`);
  const [bucket = "", ...parts] = url.slice(1).split(/[?#]/, 1)[0]!.split("/").map(decode);
  const request = { method, bucket, key: parts.join("/"), query, headers, incoming };
  authorize(request);
  return request;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new S3Error("InvalidArgument", "the path");
  }
}

/**
 * Compares the name of the account, not the signature: the server listens on the loopback interface, its account is public, and a proxy
 * between a function and the server has another address than the one that is signed.
 */
function authorize({ query, headers }: S3Request): void {
  const signed = query["X-Amz-Credential"] ?? /Credential=([^,\s]+)/.exec(headers.authorization ?? "")?.[1];
  if (signed?.split("/")[0] !== EMBEDDED_CREDENTIALS.accessKeyId)
    throw new S3Error("AccessDenied", "the request is not signed by the account of the local S3");
  const seconds = query["X-Amz-Expires"];
  if (seconds === undefined) return;
  const signedMs = Date.parse(
    (query["X-Amz-Date"] ?? "").replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  // A comparison with NaN is false, so that a URL without a date has expired.
  if (!(Date.now() <= signedMs + Number(seconds) * 1000))
    throw new S3Error("AccessDenied", "the presigned URL has expired");
}
