/** The body of a request: as it is, or in the chunks with signatures and trailers that the SDK calls `aws-chunked`. */
import type { IncomingMessage } from "node:http";
import { crc32 } from "node:zlib";
import type { Written } from "./object-store.ts";
import { S3Error } from "./s3-error.ts";

export interface RequestContent {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Compares what was read with the length and the checksums that the client has sent. @throws S3Error */
  readonly check: (written: Omit<Written, "path">) => void;
}

export function contentOf(request: IncomingMessage): RequestContent {
  const { headers } = request;
  const isChunked = String(headers["x-amz-content-sha256"] ?? "").startsWith("STREAMING-");
  const trailers: Record<string, string> = {};
  const sum = { crc32: 0 };
  // After a failure, the client still gets an answer over this connection.
  const body: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
  const length = Number(headers[isChunked ? "x-amz-decoded-content-length" : "content-length"] ?? Number.NaN);
  return {
    bytes: summed(isChunked ? decodeChunks(body, trailers) : body, sum),
    check({ bytes, md5 }) {
      if (!Number.isNaN(length) && bytes !== length)
        throw new S3Error("IncompleteBody", `${bytes} of ${length} bytes`);
      const wanted = headers["x-amz-checksum-crc32"] ?? trailers["x-amz-checksum-crc32"];
      const found = Buffer.alloc(4);
      found.writeUInt32BE(sum.crc32);
      if (wanted !== undefined && wanted !== found.toString("base64"))
        throw new S3Error("BadDigest", "CRC32");
      const wantedMd5 = headers["content-md5"];
      if (wantedMd5 !== undefined && wantedMd5 !== Buffer.from(md5, "hex").toString("base64"))
        throw new S3Error("BadDigest", "Content-MD5");
    },
  };
}

async function* summed(
  content: AsyncIterable<Uint8Array>,
  sum: { crc32: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    sum.crc32 = crc32(chunk, sum.crc32);
    yield chunk;
  }
}

/**
 *     5;chunk-signature=...\r\n hello\r\n 0;chunk-signature=...\r\n x-amz-checksum-crc32:...\r\n \r\n
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */
async function* decodeChunks(
  body: AsyncIterable<Uint8Array>,
  trailers: Record<string, string>,
): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  const incoming = body[Symbol.asyncIterator]();
  const more = async () => {
    const { done, value } = await incoming.next();
    if (done) throw new S3Error("IncompleteBody", "the last chunk is missing");
    rest = Buffer.concat([rest, value]);
  };
  const line = async () => {
    let end = rest.indexOf("\r\n");
    for (; end < 0; end = rest.indexOf("\r\n")) await more();
    const text = rest.toString("latin1", 0, end);
    rest = rest.subarray(end + 2);
    return text;
  };
  for (;;) {
    const size = /^[0-9a-f]+(?=;|$)/i.exec(await line())?.[0];
    if (size === undefined) throw new S3Error("IncompleteBody", "a chunk has no size");
    let left = Number.parseInt(size, 16);
    if (left === 0) break;
    while (left > 0) {
      if (rest.length === 0) await more();
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
    await line();
  }
  for (let trailer = await line(); trailer !== ""; trailer = await line()) {
    const colon = trailer.indexOf(":");
    trailers[trailer.slice(0, colon).trim().toLowerCase()] = trailer.slice(colon + 1).trim();
  }
}
