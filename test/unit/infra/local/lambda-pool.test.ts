import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Invocation } from "../../../../infra/local/lambda-instance.ts";
import { type LambdaPool, makeLambdaPool } from "../../../../infra/local/lambda-pool.ts";
import { readTemplate } from "../../../../infra/local/template.ts";
import { writeAssembly } from "./assembly.ts";

/** Tells its context and which worker answers; waits for another invocation, for ever, or never lets go. */
const CODE = `
  const born = Math.random();
  let release = () => {};
  export const handler = async (event, context) => {
    if (event.do === "wait") await new Promise((resolve) => { release = resolve; });
    if (event.do === "release") release();
    if (event.do === "hang") await new Promise((resolve) => setTimeout(resolve, 1e8));
    if (event.do === "spin") for (;;) {}
    if (event.do === "undefined") return undefined;
    return { born, ...context, remaining: context.getRemainingTimeInMillis() };
  };`;

const STREAMING = `
  import { Readable } from "node:stream";
  import { pipeline } from "node:stream/promises";
  export const handler = awslambda.streamifyResponse((event, stream) => {
    const blocks = Array.from({ length: 400 }, (_, index) => Buffer.alloc(50_001, index));
    return pipeline(Readable.from(blocks), awslambda.HttpResponseStream.from(stream, { statusCode: 200 }));
  });`;

let folder: string;
let pool: LambdaPool;
beforeEach(() => {
  folder = writeAssembly({
    functions: {
      Worker: { code: CODE },
      Short: { code: CODE, timeoutSeconds: 3 },
      Streaming: { code: STREAMING },
    },
    methods: [
      { path: "/a", target: "Worker" },
      { path: "/b", target: "Short" },
      { path: "/c", target: "Streaming" },
    ],
  });
  pool = makeLambdaPool(readTemplate(folder).functions, {}, () => {});
});
afterEach(async () => {
  await pool.stop();
  rmSync(folder, { recursive: true });
});

let count = 0;
async function invoke(what: string, functionId = "Worker"): Promise<Record<string, unknown>> {
  count += 1;
  const invocation = await pool.invoke(functionId, `request-${count}`, JSON.stringify({ do: what }));
  return JSON.parse((invocation as Invocation & { kind: "buffered" }).payload);
}

describe("a function in the pool", () => {
  it("is given Lambda's context", async () => {
    const context = await invoke("nothing");

    expect(context).toMatchObject({
      awsRequestId: `request-${count}`,
      functionName: "wirelab-worker",
      invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:wirelab-worker",
      memoryLimitInMB: "256",
    });
    expect(context.remaining).toBeGreaterThan(0);
    expect(context.remaining).toBeLessThanOrEqual(20_000);
  });

  it("answers several at once in one worker", async () => {
    const waiting = invoke("wait");
    const releasing = await invoke("release");

    expect((await waiting).born).toBe(releasing.born);
  });

  it("that returns nothing answers null", async () => {
    expect(await invoke("undefined")).toBeNull();
  });

  it.each(["hang", "spin"])("is replaced when it does not come to an end (%s)", async (how) => {
    const { born } = await invoke("nothing", "Short");

    await expect(invoke(how, "Short")).rejects.toMatchObject({ reason: "timeout" });

    expect((await invoke("nothing", "Short")).born).not.toBe(born);
  });

  it("streams every byte in its place", async () => {
    const { body } = (await pool.invoke("Streaming", "s", "{}")) as Invocation & { kind: "streamed" };
    const received = createHash("sha256");
    for await (const chunk of body) received.update(chunk);

    const sent = createHash("sha256");
    for (let index = 0; index < 400; index++) sent.update(Buffer.alloc(50_001, index));
    expect(received.digest("hex")).toBe(sent.digest("hex"));
  });
});
