/** One execution environment: a worker thread with a function, and the invocations in progress there. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "./intrinsics.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./lambda-messages.ts";
import type { FunctionDefinition } from "./template/functions.ts";

/** Receives a line of a function's output. */
export type Log = (level: "error" | "info", line: string, functionName: string) => void;

export type Invocation =
  | { readonly kind: "buffered"; readonly payload: string }
  /** A streamed response that the function completed before the first chunk was sent. */
  | { readonly kind: "whole"; readonly prelude: string | null; readonly body: Uint8Array }
  /** Destroying the body cancels the function's response stream. */
  | { readonly kind: "streamed"; readonly prelude: string | null; readonly body: Readable };

/** Cancels a streamed response, unless it is complete. */
export function discard(invocation: Invocation): void {
  if (invocation.kind === "streamed") invocation.body.destroy();
}

export class InvocationFailure extends Error {
  readonly reason: "failed" | "timeout";
  constructor(reason: "failed" | "timeout", message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Pending {
  readonly resolve: (invocation: Invocation) => void;
  readonly reject: (failure: InvocationFailure) => void;
  readonly timer: NodeJS.Timeout;
  body: Readable | null;
}

export class LambdaInstance {
  /** Stays pending if the function cannot be loaded. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  readonly #definition: FunctionDefinition;
  readonly #worker: Worker;
  readonly #log: (level: "error" | "info", line: string) => void;
  readonly #pending = new Map<string, Pending>();
  /** Set when the instance takes no more invocations: the worker has ended, or an invocation has timed out. */
  #retired = false;
  #ready = false;
  #idleSinceMs = Date.now();
  /** When the worker was asked whether its event loop is free; undefined if it has answered since. */
  #askedMs: number | undefined;
  #hasAnswered = false;

  /** @param onAnswer called when the worker has answered `ask`. */
  constructor(
    definition: FunctionDefinition,
    shared: Readonly<Record<string, string>>,
    log: Log,
    onAnswer: () => void,
  ) {
    this.#definition = definition;
    this.#log = (level, line) => log(level, line, definition.name);
    this.#worker = startWorker(definition, shared);
    createInterface({ input: this.#worker.stdout }).on("line", (line) => this.#log("info", line));
    createInterface({ input: this.#worker.stderr }).on("line", (line) => this.#log("error", line));
    this.ready = new Promise((resolve) => {
      this.#worker.on("message", (message: FromWorker) => {
        if (message.kind === "pong") {
          this.#askedMs = undefined;
          this.#hasAnswered = true;
          return onAnswer();
        }
        if (message.kind !== "ready") return this.#receive(message);
        this.#ready = true;
        resolve();
      });
    });
    this.#worker.on("error", (error) => this.#log("error", error.stack ?? String(error)));
    this.ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#retired = true;
        for (const id of this.#pending.keys()) this.#fail(id, "failed", "the function's worker ended");
        resolve();
      });
    });
  }

  get usable(): boolean {
    return !this.#retired;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  /** The number of invocations without a response yet; those that stream a body do not count. */
  get computing(): number {
    return this.#pending.values().reduce((sum, { body }) => sum + (body === null ? 1 : 0), 0);
  }

  get isIdle(): boolean {
    return this.#ready && this.#pending.size === 0;
  }

  /** Whether the event loop has been free since the last invocation began. */
  get isFree(): boolean {
    return this.isIdle || this.#hasAnswered;
  }

  /** Asks the worker whether its event loop is free, unless it has not answered the last question. */
  ask(): void {
    if (this.#askedMs !== undefined) return;
    this.#askedMs = Date.now();
    this.#post({ kind: "ping" });
  }

  /** Whether the worker has left a question without an answer for this time. */
  isSilentFor(ms: number): boolean {
    return this.#askedMs !== undefined && Date.now() - this.#askedMs >= ms;
  }

  /** Valid only if `isIdle`. */
  get idleSinceMs(): number {
    return this.#idleSinceMs;
  }

  invoke(id: string, event: string): Promise<Invocation> {
    const { timeoutMs } = this.#definition;
    this.#hasAnswered = false;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(id), timeoutMs);
      this.#pending.set(id, { resolve, reject, timer, body: null });
      this.#post({ kind: "invoke", id, event, deadlineMs: Date.now() + timeoutMs });
    });
  }

  endStreams(): void {
    for (const [id, { body }] of this.#pending) {
      if (!body) continue;
      this.#settle(id);
      body.push(null);
      this.#post({ kind: "cancel", id });
    }
  }

  async stop(): Promise<void> {
    this.#retired = true;
    await this.#worker.terminate();
    await this.ended;
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: Exclude<FromWorker, { kind: "ready" | "pong" }>): void {
    const pending = this.#pending.get(message.id);
    if (message.kind === "fault") this.#log("error", message.message);
    if (pending === undefined) return;
    switch (message.kind) {
      case "result":
        this.#settle(message.id);
        pending.resolve({ kind: "buffered", payload: message.payload });
        return;
      case "whole":
        this.#settle(message.id);
        pending.resolve({ kind: "whole", prelude: message.prelude, body: message.bytes });
        return;
      case "head":
        pending.body = this.#openBody(message.id);
        pending.resolve({ kind: "streamed", prelude: message.prelude, body: pending.body });
        return;
      case "chunk":
        pending.body?.push(message.bytes);
        return;
      case "end":
        this.#settle(message.id);
        pending.body?.push(null);
        return;
      case "fault":
        this.#fail(message.id, "failed", "the function failed");
        return;
    }
  }

  /** Requests the next chunk when the client has received the last one. */
  #openBody(id: string): Readable {
    const body = new Readable({
      read: () => this.#post({ kind: "more", id }),
      destroy: (error, done) => {
        if (this.#settle(id)) this.#post({ kind: "cancel", id });
        done(error);
      },
    });
    // A body can fail before a reader is attached to it, or after the reader has left.
    return body.on("error", () => {});
  }

  /** Lambda ends the whole environment; here the other responses of the instance may complete first. */
  #expire(id: string): void {
    this.#log("error", `${id} timed out after ${this.#definition.timeoutMs} ms`);
    this.#retired = true;
    this.#fail(id, "timeout", "the function timed out");
  }

  #fail(id: string, reason: "failed" | "timeout", message: string): void {
    const pending = this.#pending.get(id);
    this.#settle(id);
    const failure = new InvocationFailure(reason, message);
    if (pending?.body) pending.body.destroy(failure);
    else pending?.reject(failure);
  }

  /** @returns false if the invocation had ended before. */
  #settle(id: string): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    if (this.#pending.size === 0) {
      this.#idleSinceMs = Date.now();
      if (this.#retired) void this.#worker.terminate();
    }
    return true;
  }
}

/**
 * The app id that the SDK sends with each call, so that a proxy in front of the stores can identify the calling function. The SDK
 * warns of more than 50 characters. Powertools appends its own user agent unless the id contains `/PTEnv/`.
 */
const appIdOf = (name: string): string => `${name.slice(0, 43)}/PTEnv/`;

function startWorker(definition: FunctionDefinition, shared: Readonly<Record<string, string>>): Worker {
  const { name, handler, bundleFolder, memoryMb, timeoutMs, environment } = definition;
  const workerData: WorkerSetup = {
    bundleFolder,
    handler,
    functionName: name,
    functionArn: `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`,
    memoryMb,
  };
  return new Worker(new URL("./lambda-worker.ts", import.meta.url), {
    workerData,
    env: {
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_TIMEOUT: String(timeoutMs / 1000),
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      LAMBDA_TASK_ROOT: bundleFolder,
      AWS_SDK_UA_APP_ID: appIdOf(name),
      _HANDLER: handler,
      ...environment,
      ...shared,
    },
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
}
