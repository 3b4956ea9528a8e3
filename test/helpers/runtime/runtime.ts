/** A function as Lambda runs it: in its own process under Lambda's runtime client, aws-lambda-ric. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type RuntimeAnswer, RuntimeApi } from "./api.ts";

const CLIENT = fileURLToPath(import.meta.resolve("aws-lambda-ric"));
const PRELOAD = new URL("./preload.ts", import.meta.url).href;

const TIMEOUT_MS = 29_000;

export interface Runtime {
  /** @throws Error with the process's output if it ends before it has responded. */
  invoke(event: unknown, timeoutMs?: number): Promise<RuntimeAnswer>;
  stop(): Promise<void>;
}

/**
 * @param folder the folder with the function's code.
 * @param handler `file.export`, as in Lambda's configuration.
 */
export async function startRuntime(
  folder: string,
  handler: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Runtime> {
  const api = await RuntimeApi.start();
  const child = spawn(process.execPath, ["--import", PRELOAD, CLIENT], {
    env: {
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "512",
      AWS_LAMBDA_FUNCTION_NAME: "tested",
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      AWS_LAMBDA_LOG_GROUP_NAME: "/aws/lambda/tested",
      AWS_LAMBDA_LOG_STREAM_NAME: "tested",
      AWS_LAMBDA_RUNTIME_API: api.address,
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: handler,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const exited = once(child, "close").then(([code, signal]) => {
    api.fail(new Error(`the runtime process ended with ${code ?? signal}:\n${output}`));
  });
  return {
    invoke: (event, timeoutMs = TIMEOUT_MS) => api.invoke(event, timeoutMs),
    async stop() {
      child.kill();
      await exited;
      api.stop();
    },
  };
}
