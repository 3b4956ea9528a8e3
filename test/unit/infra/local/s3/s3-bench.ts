/** A local S3 in a folder of its own, with one bucket. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CreateBucketCommand, GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { type S3Server, startS3 } from "../../../../../infra/local/s3/s3.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../../infra/local/s3/s3-request.ts";

export const Bucket = "wirelab-test";

export class S3Bench {
  readonly folder = mkdtempSync(join(tmpdir(), "wirelab-s3-"));
  readonly reports: string[] = [];
  #server: S3Server | undefined;
  #client: S3Client | undefined;

  get server(): S3Server {
    return this.#server!;
  }

  get client(): S3Client {
    return this.#client!;
  }

  /** @param files written before the start: path below the bucket -> content. */
  async start(files: Readonly<Record<string, string | Buffer>> = {}): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, Bucket, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    this.#server = await startS3("127.0.0.1", this.folder, (line) => this.reports.push(line));
    await this.server.checked;
    this.#client = new S3Client({
      endpoint: this.server.endpoint,
      region: "us-east-1",
      credentials: { ...EMBEDDED_CREDENTIALS },
      maxAttempts: 1,
    });
    await this.client.send(new CreateBucketCommand({ Bucket }));
  }

  async stop(): Promise<void> {
    this.client.destroy();
    await this.server.stop();
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }

  async get(Key: string): Promise<string> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket, Key }));
    return Body!.transformToString();
  }

  /** Sends a request as it is, signed by name. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const authorization = `AWS4-HMAC-SHA256 Credential=${EMBEDDED_CREDENTIALS.accessKeyId}/20260101/us-east-1/s3/aws4_request`;
    return fetch(`${this.server.endpoint}/${Bucket}${path}`, {
      ...init,
      headers: { authorization, ...(init.headers as Record<string, string>) },
    });
  }
}
