/**
 * Objects as files in a folder:
 *
 *     <bucket>/<key>.object     an object: key-path.ts, object-file.ts
 *     .unfinished/              files that are being written; emptied at the start
 *     .damaged/                 files that could not be read, under the paths that they had
 *
 * A write is acknowledged when the disk has the file and its name: the file is written and synchronized under another name, renamed, and
 * its folder is synchronized. Readers see the object from before or the whole new one. One process uses the folder.
 */
import { createHash, randomUUID } from "node:crypto";
import { dirname, join, relative } from "node:path";
import {
  earlierContent,
  earlierPaths,
  hasLostHeaders,
  isUnfinished,
  readEarlierFacts,
  toEarlierBase,
} from "./earlier-objects.ts";
import { DISK, type Files, isMissing, type OpenFile, syncFolder, unlinkIfThere } from "./files.ts";
import { compareKeys, toKey, toPath } from "./key-path.ts";
import { DamagedFile, encodeEnd, readFacts, type StoredFacts } from "./object-file.ts";
import { ObjectFolders } from "./object-folders.ts";
import { S3Error } from "./s3-error.ts";

const UNFINISHED = ".unfinished";
const DAMAGED = ".damaged";
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A file that has been written and synchronized, but not renamed. */
export interface Written {
  readonly path: string;
  readonly bytes: number;
  readonly md5: string;
}

/** @returns whether a write may replace the object that is there. */
export type Condition = (present: StoredFacts | undefined) => void;

export class OpenObject {
  readonly facts: StoredFacts;
  readonly file: OpenFile;

  constructor(facts: StoredFacts, file: OpenFile) {
    this.facts = facts;
    this.file = file;
  }
}

export class ObjectStore {
  readonly #root: string;
  readonly #files: Files;
  readonly #report: (line: string) => void;
  readonly #folders: ObjectFolders;
  readonly #buckets = new Set<string>();
  /** The last operation for each key that decides by what is there. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** @param report receives a line for each file that is damaged. */
  constructor(root: string, report: (line: string) => void, files: Files = DISK) {
    this.#root = root;
    this.#files = files;
    this.#report = report;
    this.#folders = new ObjectFolders(files);
  }

  /** Deletes what a killed process has left unfinished. */
  async open(): Promise<void> {
    await this.#files.mkdir(this.#root, { recursive: true });
    for (const entry of await this.#files.readdir(this.#root, { withFileTypes: true }))
      if (entry.isDirectory() && BUCKET_NAME.test(entry.name)) this.#buckets.add(entry.name);
    await this.#files.rm(join(this.#root, UNFINISHED), { recursive: true, force: true });
    await this.#files.mkdir(join(this.#root, UNFINISHED), { recursive: true });
  }

  /** Reads the end of each object, so that damaged ones are reported before a caller needs them. */
  async check(isStopped: () => boolean = () => false): Promise<void> {
    for (const bucket of this.#buckets) {
      for (const path of await this.#listFiles(join(this.#root, bucket))) {
        if (isStopped()) return;
        await this.#checkFile(bucket, path);
      }
    }
  }

  async #checkFile(bucket: string, path: string): Promise<void> {
    const root = join(this.#root, bucket);
    if (isUnfinished(path)) {
      await this.#files.rm(join(root, path), { recursive: true, force: true });
      return this.#folders.prune(dirname(join(root, path)), root);
    }
    const base = toEarlierBase(path);
    const key = toKey(path) ?? base;
    if (key === undefined) return;
    const found = await this.find(bucket, key);
    await found?.file.close();
    if (base === undefined || found === undefined) return;
    const headers = await hasLostHeaders(this.#files, join(root, base));
    if (headers === undefined) return;
    const kept = await this.#setAside(headers);
    this.#report(
      `S3: ${headers} is damaged. The content type of ${bucket}/${key} is lost, its content is there. The file is now ${kept}.`,
    );
  }

  hasBucket(bucket: string): boolean {
    return this.#buckets.has(bucket);
  }

  async makeBucket(bucket: string): Promise<void> {
    if (!BUCKET_NAME.test(bucket)) throw new S3Error("InvalidBucketName", bucket);
    await this.#files.mkdir(join(this.#root, bucket), { recursive: true });
    await syncFolder(this.#files, this.#root);
    this.#buckets.add(bucket);
  }

  async deleteBucket(bucket: string): Promise<void> {
    if ((await this.list(bucket, "")).length > 0) throw new S3Error("BucketNotEmpty", bucket);
    this.#buckets.delete(bucket);
    await this.#files.rm(join(this.#root, bucket), { recursive: true, force: true });
    await syncFolder(this.#files, this.#root);
  }

  /**
   * The caller closes the file.
   * @returns undefined when there is no such object, also when its file was damaged.
   */
  async find(bucket: string, key: string): Promise<OpenObject | undefined> {
    for (const place of this.#places(bucket, key)) {
      try {
        return await this.#open(place);
      } catch (error) {
        if (isMissing(error)) continue;
        if (!(error instanceof DamagedFile)) throw error;
        await this.#inTurn(bucket, key, () => this.#giveUp(bucket, key, place));
      }
    }
    return undefined;
  }

  /** The paths that may have the object, the one of this release first. */
  #places(bucket: string, key: string): readonly string[] {
    const path = toPath(key);
    const places = [join(this.#root, bucket, path)];
    // Earlier releases wrote keys as they are: only those that mean the same path are looked for.
    if (path.slice(0, -".object".length) === key) places.push(join(this.#root, bucket, earlierContent(key)));
    return places;
  }

  /** @throws DamagedFile; an error with the code ENOENT when there is no such file. */
  async #open(path: string): Promise<OpenObject> {
    const file = await this.#files.open(path, "r");
    try {
      const base = toEarlierBase(path);
      const facts =
        base === undefined ? await readFacts(file) : await readEarlierFacts(this.#files, base, file);
      return new OpenObject(facts, file);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Sets a damaged file aside, unless a write has replaced it meanwhile. */
  async #giveUp(bucket: string, key: string, path: string): Promise<void> {
    try {
      const { file } = await this.#open(path);
      return await file.close();
    } catch (error) {
      if (isMissing(error)) return;
      if (!(error instanceof DamagedFile)) throw error;
      const kept = await this.#setAside(path);
      const base = toEarlierBase(path);
      for (const other of base === undefined ? [] : earlierPaths(base).slice(1))
        await unlinkIfThere(this.#files, other);
      this.#report(
        `S3: ${path} is damaged: ${error.message}. The object ${bucket}/${key} is lost. The file is now ${kept}.`,
      );
    }
  }

  /** @returns the path that the file has now. */
  async #setAside(path: string): Promise<string> {
    const kept = join(this.#root, DAMAGED, `${relative(this.#root, path)}.${randomUUID().slice(0, 8)}`);
    await this.#files.mkdir(dirname(kept), { recursive: true });
    await this.#files.rename(path, kept);
    return kept;
  }

  /** Writes a file that is not an object yet. It is on the disk when this returns. */
  async write(
    content: Bytes,
    end: (written: Omit<Written, "path">) => Uint8Array = () => new Uint8Array(),
  ): Promise<Written> {
    const path = join(this.#root, UNFINISHED, randomUUID());
    const hash = createHash("md5");
    let bytes = 0;
    const file = await this.#files.open(path, "wx");
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        await file.appendFile(chunk);
      }
      const md5 = hash.digest("hex");
      await file.appendFile(end({ bytes, md5 }));
      await file.sync();
      await file.close();
      return { path, bytes, md5 };
    } catch (error) {
      await file.close().catch(() => undefined);
      await this.discard(path);
      throw error;
    }
  }

  async discard(path: string): Promise<void> {
    await unlinkIfThere(this.#files, path).catch(() => undefined);
  }

  /**
   * Stores an object.
   * @param etag made of the MD5 of the content; without, it is that.
   * @param condition throws an S3Error when the object may not be stored.
   */
  async put(
    bucket: string,
    key: string,
    content: Bytes,
    options: {
      readonly headers: Readonly<Record<string, string>>;
      readonly condition?: Condition;
      readonly etag?: string;
      readonly check?: (written: Omit<Written, "path">) => void;
    },
  ): Promise<string> {
    const target = join(this.#root, bucket, toPath(key));
    let etag = "";
    const { path } = await this.write(content, (written) => {
      options.check?.(written);
      etag = `"${options.etag ?? written.md5}"`;
      return encodeEnd({ bytes: written.bytes, etag, headers: options.headers });
    });
    try {
      await this.#inTurn(bucket, key, async () => {
        if (options.condition) options.condition(await this.#factsOf(bucket, key));
        await this.#folders.write(dirname(target), join(this.#root, bucket), async () => {
          await this.#files.rename(path, target);
          await syncFolder(this.#files, dirname(target));
          await this.#unlinkEarlier(bucket, key);
        });
      });
    } catch (error) {
      await this.discard(path);
      throw error;
    }
    return etag;
  }

  async #factsOf(bucket: string, key: string): Promise<StoredFacts | undefined> {
    for (const place of this.#places(bucket, key)) {
      try {
        const { facts, file } = await this.#open(place);
        await file.close();
        return facts;
      } catch (error) {
        // A damaged file counts as none, and is replaced or set aside later.
        if (!isMissing(error) && !(error instanceof DamagedFile)) throw error;
      }
    }
    return undefined;
  }

  /** @returns whether there was an object of an earlier release. */
  async #unlinkEarlier(bucket: string, key: string): Promise<boolean> {
    const content = this.#places(bucket, key)[1];
    const base = content && toEarlierBase(content);
    if (base === undefined || !(await unlinkIfThere(this.#files, earlierContent(base)))) return false;
    for (const path of earlierPaths(base).slice(1)) await unlinkIfThere(this.#files, path);
    return true;
  }

  /** Deletes objects, whether they exist or not. */
  async delete(bucket: string, keys: readonly string[], condition?: Condition): Promise<void> {
    const root = join(this.#root, bucket);
    const folders = new Set<string>();
    for (const key of keys) {
      const path = join(this.#root, bucket, toPath(key));
      await this.#inTurn(bucket, key, async () => {
        if (condition) condition(await this.#factsOf(bucket, key));
        // First the object of an earlier release, which would be seen again without the one that has replaced it.
        const hadEarlier = await this.#unlinkEarlier(bucket, key);
        if (hadEarlier) await this.#syncNearest(dirname(path), root);
        if ((await unlinkIfThere(this.#files, path)) || hadEarlier) folders.add(dirname(path));
      });
    }
    for (const folder of folders) {
      await this.#syncNearest(folder, root);
      this.#folders.prune(folder, root);
    }
  }

  /** Another deletion may have removed the emptied folder: its absence above must be on the disk then, or a power cut brings it back. */
  async #syncNearest(folder: string, root: string): Promise<void> {
    for (let at = folder; ; at = dirname(at)) {
      try {
        return await syncFolder(this.#files, at);
      } catch (error) {
        if (!isMissing(error)) throw error;
        if (at === root) return;
      }
    }
  }

  /** @returns the sorted keys with this prefix. */
  async list(bucket: string, prefix: string): Promise<string[]> {
    const folder = dirname(toPath(`${prefix}x`));
    const paths = await this.#listFiles(join(this.#root, bucket), folder === "." ? "" : folder);
    const keys = paths.map((path) => toKey(path) ?? toEarlierBase(path));
    const found = keys.filter((key) => key?.startsWith(prefix)) as string[];
    return [...new Set(found)].sort(compareKeys);
  }

  /** Returns the paths of all files below a folder, relative to `root`; none for a folder that does not exist. */
  async #listFiles(root: string, folder = ""): Promise<string[]> {
    const entries = await this.#files.readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const paths = entries.map(async (entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? this.#listFiles(root, path) : [path];
    });
    return (await Promise.all(paths)).flat();
  }

  /** One operation of a key after another. */
  async #inTurn<T>(bucket: string, key: string, perform: () => Promise<T>): Promise<T> {
    const name = `${bucket}/${key}`;
    const before = this.#turns.get(name) ?? Promise.resolve();
    const turn = before.then(perform, perform);
    this.#turns.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(name) === turn) this.#turns.delete(name);
    }
  }
}
