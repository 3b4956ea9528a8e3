/**
 * Vitest's global setup: synthesizes the stack once, and serves it in memory once for each worker. Test files find their worker's
 * stack by `localStack()` of this-stack.ts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { assemble } from "../../../infra/local/assemble.ts";
import type { LocalStack } from "../../../infra/local/local-stack.ts";
import { startInMemory } from "./in-memory.ts";

export interface LocalStackHandle {
  /** URL without the stage: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** URL with the stage; append paths of the interface. */
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
  readonly s3Endpoint: string;
  readonly stepFunctionsEndpoint: string;
  readonly tableName: string;
  readonly bucketName: string;
  /** Every method of the template: `GET /projects`, `ANY /projects`. */
  readonly methods: string[];
  /** The folder with the synthesized stack, for files that start another one: synthesis is the slowest step. */
  readonly assembly: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

declare module "vitest" {
  export interface ProvidedContext {
    localStacks: LocalStackHandle[];
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const assembly = mkdtempSync(join(tmpdir(), "wirelab-synth-"));
  const stacks: LocalStack[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stacks.map((stack) => stack.stop()));
    rmSync(assembly, { recursive: true, force: true });
  };
  try {
    await assemble(assembly, { settings: { auth: "none", ephemeral: "true" } });
    // Starts one after another, because each looks for free ports.
    for (let worker = 0; worker < project.config.maxWorkers; worker++) {
      stacks.push(await startInMemory({ synth: assembly }));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide(
    "localStacks",
    stacks.map((stack) => handleOf(stack, assembly)),
  );
  return stop;
}

function handleOf(stack: LocalStack, assembly: string): LocalStackHandle {
  const { url, stage, dynamodbEndpoint, s3Endpoint, stepFunctionsEndpoint, tableName, bucketName } = stack;
  const { region, credentials } = stack;
  return {
    url,
    baseUrl: `${url}/${stage}`,
    dynamodbEndpoint,
    s3Endpoint,
    stepFunctionsEndpoint,
    tableName,
    bucketName,
    methods: stack.template.routes.map(({ method, resourcePath }) => `${method} ${resourcePath}`),
    assembly,
    region,
    credentials: { ...credentials },
  };
}
