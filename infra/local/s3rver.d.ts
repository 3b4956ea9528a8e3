/** Types for the part of @20minutes/s3rver in use; the package has none. */
declare module "@20minutes/s3rver" {
  import type { IncomingMessage, Server } from "node:http";
  import type { AddressInfo } from "node:net";
  import type { Readable } from "node:stream";

  namespace S3rver {
    interface Options {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      allowMismatchedSignatures: boolean;
    }

    interface Metadata {
      readonly etag: string;
      readonly "last-modified": string;
      readonly "content-length": number;
    }

    interface StoredObject {
      readonly bucket: string;
      readonly key: string;
    }

    interface Store {
      /** The path of an object's content, checksum or metadata. */
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
      getBucketPath(bucket: string): string;
      getBucket(bucket: string): Promise<object | null>;
      getMetadata(bucket: string, key: string): Promise<Metadata>;
      /** @returns the size in bytes and the MD5 of the content. */
      putContent(path: string, content: Readable): Promise<[number, string]>;
      putObject(object: StoredObject): Promise<object>;
      initiateUpload(bucket: string, key: string, uploadId: string, metadata: object): Promise<void>;
      putObjectMultipart(bucket: string, uploadId: string, parts: readonly object[]): Promise<object>;
      deleteObject(bucket: string, key: string): Promise<void>;
    }

    interface Context {
      readonly method: string;
      readonly path: string;
      readonly query: Readonly<Record<string, string | undefined>>;
      readonly req: IncomingMessage;
      readonly headers: IncomingMessage["headers"];
      status: number;
      type: string;
      body: unknown;
    }

    type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
  }

  class S3rver {
    readonly store: S3rver.Store;
    readonly httpServer: Server;
    /** Koa's list; the last entry is the router. */
    readonly middleware: S3rver.Middleware[];
    constructor(options: S3rver.Options);
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
  export = S3rver;
}
