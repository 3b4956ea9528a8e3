/** The thread that stores how far a lab file is, as the function `guests` has it beside its bundle. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { bundle } from "../../../infra/bundle.ts";
import { settles } from "../../helpers/settles.ts";

const THREAD = new URL("../../../functions/runs/progress-thread.ts", import.meta.url).pathname;

test("stores what the other thread has noted last, again and again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-progress-"));
  bundle(THREAD, folder, "progress-thread");
  const stored: string[] = [];
  const bucket = createServer(async (request, response) => {
    stored.push(`${request.method} ${request.url?.split("?")[0]} ${await text(request)}`);
    response.end();
  });
  await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
  const { port } = bucket.address() as AddressInfo;
  const elapsed = new Float64Array(new SharedArrayBuffer(8));
  elapsed[0] = 1.5;
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "b",
    BUCKET_NAME: "bucket",
  };
  const thread = new Worker(pathToFileURL(join(folder, "progress-thread.mjs")), {
    workerData: { run: "runs/one", elapsed, everyMs: 5 },
    env,
  });
  try {
    const lastIs = (seconds: number) =>
      settles(() => expect(stored.at(-1)).toBe(`PUT /bucket/runs/one/progress.json {"elapsed":${seconds}}`));
    await lastIs(1.5);
    elapsed[0] = 7;
    await lastIs(7);
  } finally {
    await thread.terminate();
    bucket.closeAllConnections();
    bucket.close();
    rmSync(folder, { recursive: true });
  }
});
