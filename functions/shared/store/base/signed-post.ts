/** Requests to AWS services whose clients would add much to a bundle for the few requests: docs/dependencies.md has the sizes. */
import { createHash, createHmac } from "node:crypto";
import { fromEnv } from "@aws-sdk/credential-provider-env";
import { SignatureV4 } from "@smithy/signature-v4";

/** The hash that the signer asks for; with a secret, its HMAC. */
export class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash("sha256")
        : createHmac("sha256", secret as string | NodeJS.ArrayBufferView);
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  /** The signer never uses a hash twice. */
  reset(): void {}
}

interface SignedPost {
  /** The name of the service in the signature: `ec2`, `lambda`. */
  readonly service: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** Returns the endpoint of a service in the function's region, or the one in the SDK's standard variable. */
export const endpointOf = (service: string): URL =>
  new URL(
    process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ||
      `https://${service}.${process.env.AWS_REGION}.amazonaws.com`,
  );

/** Sends a POST request with the function's signature. Throws if the service does not respond in time. */
export async function signedPost({ service, url, headers, body, timeoutMs }: SignedPost): Promise<{
  readonly status: number;
  readonly text: string;
}> {
  const signer = new SignatureV4({
    service,
    region: process.env.AWS_REGION ?? "us-east-1",
    credentials: fromEnv(),
    sha256: Sha256,
  });
  const signed = await signer.sign({
    method: "POST",
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path: url.pathname,
    query: {},
    headers: { host: url.host, ...headers },
    body,
  });
  const response = await fetch(url, {
    method: "POST",
    headers: signed.headers,
    body,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, text: await response.text() };
}
