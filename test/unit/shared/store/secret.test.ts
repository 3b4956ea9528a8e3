/** Reads the stack's secret from a server that responds like Secrets Manager. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

/** https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
const ANSWERS: Readonly<Record<string, readonly [number, object]>> = {
  there: [200, { Name: "there", SecretString: "the password" }],
  deleted: [
    400,
    { __type: "ResourceNotFoundException", message: "Secrets Manager can't find the specified secret." },
  ],
  "scheduled-for-deletion": [
    400,
    {
      __type: "InvalidRequestException",
      message: "You can't perform this operation on the secret because it was marked for deletion.",
    },
  ],
  "under-a-lost-key": [
    400,
    {
      __type: "DecryptionFailure",
      message: "Secrets Manager can't decrypt the protected secret text using the provided KMS key.",
    },
  ],
};

let server: Server;
let readSecret: (id: string) => Promise<string | undefined>;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const [status, answer] = ANSWERS[JSON.parse(body).SecretId]!;
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  });
  // The client reads the environment when the module is loaded.
  ({ readSecret } = await import("../../../../functions/shared/store/base/secret.ts"));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("returns the value", async () => {
  expect(await readSecret("there")).toBe("the password");
});

test.each(["deleted", "scheduled-for-deletion"])("returns undefined for a secret that is %s", async (id) => {
  expect(await readSecret(id)).toBeUndefined();
});

test("throws when the secret exists and cannot be read", async () => {
  await expect(readSecret("under-a-lost-key")).rejects.toThrow("can't decrypt");
});
