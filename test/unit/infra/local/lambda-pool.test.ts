import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PoolLimits } from "../../../../infra/local/function-workers.ts";
import type { Invocation } from "../../../../infra/local/lambda-instance.ts";
import { type LambdaPool, makeLambdaPool } from "../../../../infra/local/lambda-pool.ts";
import { readTemplate } from "../../../../infra/local/template/template.ts";
import { settles } from "../../../helpers/settles.ts";
import { writeAssembly } from "./assembly.ts";

/** Returns its context and an id of the worker. On request it waits for the test, waits for ever, or blocks the event loop. */
const CODE = `
  const born = Math.random();
  const test = new BroadcastChannel("lambda-pool.test");
  export const handler = async (event, context) => {
    test.postMessage(event.do);
    if (event.do === "wait") await new Promise((resolve) => { test.onmessage = resolve; });
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

/** Begins its response and never ends it. */
const UNENDING = `
  export const handler = awslambda.streamifyResponse((event, stream) => {
    awslambda.HttpResponseStream.from(stream, { statusCode: 200 }).write("begun");
    return new Promise((resolve) => setTimeout(resolve, 1e8));
  });`;

let folder: string;
let pool: LambdaPool;
/** Handlers of `Worker` post each task that they begin; a waiting handler continues after any message. */
let channel: InstanceType<typeof BroadcastChannel>;
let begun: string[];
let onBegun = (): void => {};
const nextBegins = (): Promise<void> =>
  new Promise((resolve) => {
    onBegun = resolve;
  });

beforeEach(async () => {
  folder = writeAssembly({
    functions: {
      Worker: { code: CODE },
      Short: { code: CODE, timeoutSeconds: 3 },
      Streaming: { code: STREAMING },
      Unending: { code: UNENDING, timeoutSeconds: 3 },
      Computing: { code: CODE, memoryMb: 1769 },
      Broken: { code: 'throw new Error("this cannot be loaded")' },
    },
    methods: [
      { path: "/a", target: "Worker" },
      { path: "/b", target: "Short" },
      { path: "/c", target: "Streaming" },
      { path: "/d", target: "Unending" },
      { path: "/e", target: "Broken" },
      { path: "/f", target: "Computing" },
    ],
  });
  await usePool();
  begun = [];
  channel = new BroadcastChannel("lambda-pool.test");
  channel.onmessage = (message) => {
    begun.push(String((message as MessageEvent).data));
    onBegun();
  };
});
afterEach(async () => {
  channel.close();
  await pool.stop();
  rmSync(folder, { recursive: true });
});

async function usePool(limits: Partial<PoolLimits> = {}): Promise<void> {
  await pool?.stop();
  pool = makeLambdaPool(readTemplate(folder).functions, {}, () => {}, limits);
}

let count = 0;
async function invoke(
  what: string,
  functionId = "Worker",
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  count += 1;
  const invocation = await pool.invoke(functionId, `request-${count}`, JSON.stringify({ do: what }), signal);
  return JSON.parse((invocation as Invocation & { kind: "buffered" }).payload);
}

describe("a function in the pool", () => {
  it("receives Lambda's context", async () => {
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

  it("starts another worker for waiting calls", async () => {
    await usePool({ callsPerWorker: 1, mostWorkers: 2 });
    const waiting = invoke("wait");
    await nextBegins();

    const other = await invoke("nothing");
    channel.postMessage("release");

    expect((await waiting).born).not.toBe(other.born);
    expect(pool.workers).toBe(2);
  });

  it("runs more calls in a worker when it has the maximum number of workers", async () => {
    await usePool({ callsPerWorker: 1, mostWorkers: 1, mostCallsPerWorker: 2 });
    const waiting = invoke("wait");
    await nextBegins();

    const other = await invoke("nothing");
    channel.postMessage("release");

    expect((await waiting).born).toBe(other.born);
  });

  it("gets a call for each worker if it computes, as on AWS, and shares workers if it does not", async () => {
    const both = async (functionId: string) => {
      const waiting = invoke("wait", functionId);
      await nextBegins();
      const other = await invoke("nothing", functionId);
      channel.postMessage("release");
      return [(await waiting).born, other.born];
    };

    const [one, other] = await both("Computing");
    expect(one).not.toBe(other);
    const [first, second] = await both("Worker");
    expect(first).toBe(second);
  });

  it.each([1, 4])(
    "gets no call in a worker whose event loop is blocked, with at most %d workers",
    async (mostWorkers) => {
      await usePool({ mostWorkers });
      const { born } = await invoke("nothing");
      const spinning = invoke("spin").catch((error: unknown) => error);
      await nextBegins();

      const others = await Promise.all(["nothing", "nothing", "nothing"].map((what) => invoke(what)));

      for (const other of others) expect(other.born).not.toBe(born);
      await pool.stop();
      await spinning;
    },
  );

  it("takes the next call while it streams a response", async () => {
    await usePool({ mostWorkers: 1, mostCallsPerWorker: 1 });
    await pool.invoke("Unending", "one", "{}");
    await pool.invoke("Unending", "two", "{}");

    expect(pool.workers).toBe(1);
  });

  it("queues calls when all its workers are at their limit, and drops withdrawn ones", async () => {
    await usePool({ mostWorkers: 1, mostCallsPerWorker: 1 });
    const computing = invoke("wait");
    await nextBegins();
    const gone = new AbortController();
    const withdrawn = invoke("undefined", "Worker", gone.signal);
    const waiting = invoke("nothing");
    gone.abort(new Error("the client has gone"));
    await expect(withdrawn).rejects.toThrow("the client has gone");

    const next = nextBegins();
    channel.postMessage("release");
    await next;

    expect((await waiting).born).toBe((await computing).born);
    expect(begun).toEqual(["wait", "nothing"]);
  });

  it("stops idle workers", async () => {
    await usePool({ idleMs: 1 });
    const { born } = await invoke("nothing");

    await settles(() => expect(pool.workers).toBe(0));

    expect((await invoke("nothing")).born).not.toBe(born);
  });

  it("fails each call when it cannot be loaded", async () => {
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(invoke("nothing", "Broken")).rejects.toMatchObject({ reason: "failed" });
    }
  });

  it("that returns nothing has the result null", async () => {
    expect(await invoke("undefined")).toBeNull();
  });

  it.each(["hang", "spin"])("gets a new worker when it does not end (%s)", async (how) => {
    const { born } = await invoke("nothing", "Short");

    await expect(invoke(how, "Short")).rejects.toMatchObject({ reason: "timeout" });

    expect((await invoke("nothing", "Short")).born).not.toBe(born);
  });

  it("streams all bytes in order", async () => {
    const { body } = (await pool.invoke("Streaming", "s", "{}")) as Invocation & { kind: "streamed" };
    const received = createHash("sha256");
    for await (const chunk of body) received.update(chunk);

    const sent = createHash("sha256");
    for (let index = 0; index < 400; index++) sent.update(Buffer.alloc(50_001, index));
    expect(received.digest("hex")).toBe(sent.digest("hex"));
  });

  it("that times out during a response fails only the body, also if no reader is attached", async () => {
    const { body } = (await pool.invoke("Unending", "u", "{}")) as Invocation & { kind: "streamed" };

    // `once` of node:events would also attach an error listener.
    await new Promise<void>((resolve) => body.once("close", resolve));

    expect(body.errored).toMatchObject({ reason: "timeout" });
  });
});
