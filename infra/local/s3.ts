/** Runs s3rver, an S3 server on a folder, in this process, with the corrections of s3-repairs.ts. */
import { mkdirSync } from "node:fs";
import S3rver from "@20minutes/s3rver";
import type { EmbeddedServer } from "./dynoxide.ts";
import { repairS3 } from "./s3-repairs.ts";

/** The credentials of s3rver's only account. */
export const EMBEDDED_CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" } as const;

export async function startS3(host: string, folder: string): Promise<EmbeddedServer> {
  mkdirSync(folder, { recursive: true });
  const server = new S3rver({
    address: host,
    port: 0,
    directory: folder,
    silent: true,
    allowMismatchedSignatures: true,
  });
  repairS3(server);
  const { port } = await server.run();
  return {
    endpoint: `http://${host}:${port}`,
    async stop() {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
    },
  };
}
