/**
 * Vitest's global setup: synthesizes the stack once and serves it, in memory, to all test files. They find it by
 * `inject("localStack")`.
 */
import type { TestProject } from "vitest/node";
import { startLocalStack } from "../../infra/local/local-stack.ts";

export interface LocalStackHandle {
  /** Without the stage: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** With the stage; paths of the interface follow. */
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
  readonly s3Endpoint: string;
  readonly tableName: string;
  readonly bucketName: string;
  /** Every method of the template: `GET /projects`, `ANY /projects`. */
  readonly methods: string[];
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

declare module "vitest" {
  export interface ProvidedContext {
    localStack: LocalStackHandle;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startLocalStack({ inMemory: true, port: 0, quiet: true });
  const { url, stage, dynamodbEndpoint, s3Endpoint, tableName, bucketName, region, credentials } = stack;
  project.provide("localStack", {
    url,
    baseUrl: `${url}/${stage}`,
    dynamodbEndpoint,
    s3Endpoint,
    tableName,
    bucketName,
    methods: stack.template.routes.map(({ method, resourcePath }) => `${method} ${resourcePath}`),
    region,
    credentials: { ...credentials },
  });
  return () => stack.stop();
}
