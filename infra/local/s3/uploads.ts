/** Multipart uploads in progress. They end with the process, as the functions do that make them. */
import { createHash, randomUUID } from "node:crypto";
import { DISK, type Files, readBytes } from "./files.ts";
import type { Bytes, Condition, ObjectStore, Written } from "./object-store.ts";
import { S3Error } from "./s3-error.ts";

interface Upload {
  readonly bucket: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Written>;
}

/** A part as the request that completes an upload names it. */
export interface NamedPart {
  readonly number: number;
  readonly etag: string;
}

const MOST_PARTS = 10_000;
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const LEAST_PART_BYTES = 5 * 1024 * 1024;

export class Uploads {
  readonly #store: ObjectStore;
  readonly #files: Files;
  readonly #uploads = new Map<string, Upload>();

  constructor(store: ObjectStore, files: Files = DISK) {
    this.#store = store;
    this.#files = files;
  }

  begin(bucket: string, key: string, headers: Upload["headers"]): string {
    const id = randomUUID().replaceAll("-", "");
    this.#uploads.set(id, { bucket, key, headers, parts: new Map() });
    return id;
  }

  /** @returns the part's ETag. */
  async addPart(
    id: string,
    number: number,
    content: Bytes,
    check: (written: Omit<Written, "path">) => void,
  ): Promise<string> {
    this.#get(id);
    if (!Number.isInteger(number) || number < 1 || number > MOST_PARTS)
      throw new S3Error("InvalidArgument", `a part's number is from 1 to ${MOST_PARTS}`);
    const written = await this.#store.write(content, (found) => {
      check(found);
      return new Uint8Array();
    });
    const upload = this.#uploads.get(id);
    if (upload === undefined) {
      await this.#store.discard(written.path);
      throw new S3Error("NoSuchUpload", id);
    }
    const replaced = upload.parts.get(number);
    upload.parts.set(number, written);
    if (replaced) await this.#store.discard(replaced.path);
    return `"${written.md5}"`;
  }

  /** @returns the object's ETag. @throws S3Error */
  async complete(
    id: string,
    named: readonly NamedPart[],
    condition?: Condition,
  ): Promise<{ key: string; etag: string }> {
    const { bucket, key, headers, parts } = this.#get(id);
    if (named.length === 0) throw new S3Error("MalformedXML", "no parts");
    const chosen = named.map(({ number, etag }, index) => {
      const part = parts.get(number);
      if (part === undefined || part.md5 !== etag.replaceAll('"', ""))
        throw new S3Error("InvalidPart", String(number));
      if (index > 0 && number <= named[index - 1]!.number)
        throw new S3Error("InvalidPartOrder", String(number));
      if (index < named.length - 1 && part.bytes < LEAST_PART_BYTES)
        throw new S3Error("EntityTooSmall", String(number));
      return part;
    });
    const hashes = createHash("md5");
    for (const { md5 } of chosen) hashes.update(Buffer.from(md5, "hex"));
    const etag = await this.#store.put(bucket, key, this.#contentOf(chosen), {
      headers,
      etag: `${hashes.digest("hex")}-${chosen.length}`,
      ...(condition && { condition }),
    });
    await this.#end(id);
    return { key, etag };
  }

  async abort(id: string): Promise<void> {
    this.#get(id);
    await this.#end(id);
  }

  /** @throws S3Error */
  #get(id: string): Upload {
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw new S3Error("NoSuchUpload", id);
    return upload;
  }

  async #end(id: string): Promise<void> {
    const upload = this.#uploads.get(id);
    this.#uploads.delete(id);
    for (const { path } of upload?.parts.values() ?? []) await this.#store.discard(path);
  }

  async *#contentOf(parts: readonly Written[]): AsyncGenerator<Uint8Array> {
    for (const { path, bytes } of parts) {
      const file = await this.#files.open(path, "r");
      try {
        yield* readBytes(file, 0, bytes);
      } finally {
        await file.close();
      }
    }
  }
}
