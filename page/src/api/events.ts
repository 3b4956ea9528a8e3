/**
 * Follows the events of a project or of the service: over a WebSocket, which costs the service nothing while nothing happens; or, where none
 * can be opened, as lines of JSON in a response that does not end and holds a function.
 *
 *     WebSocket ──closed──▶ pause ──▶ WebSocket, after the last event that the page has
 *         │ refused: HEAD of the stream tells why
 *         ├─ there is no such project, or the user may not follow it ──▶ end
 *         ├─ the events after the last one have expired (410) ──▶ WebSocket from now on, and the page reads anew
 *         ├─ the service cannot be reached ──▶ pause ──▶ WebSocket
 *         └─ the service is there: no WebSocket passes ──▶ stream until it ends ──▶ WebSocket
 *
 * Events have numbers. A connection begins after the last one that the page has, and an event that comes twice is dropped.
 */
import { ApiProblem, send } from "./call.ts";
import { pauseAfter } from "./pause-after.ts";
import { openSocket } from "./sockets.ts";

export interface ServiceEvent {
  /** Such as `node.created`. */
  readonly action: string;
  readonly event: Readonly<Record<string, unknown>>;
  readonly seq?: number;
}

interface Follower {
  readonly onEvent: (event: ServiceEvent) => void;
  /** Called when events may have been missed: the caller reads anew what it shows. */
  readonly onGap: () => void;
  /** Called when the connection is lost or works again. */
  readonly onConnection: (isThere: boolean) => void;
  readonly signal: AbortSignal;
}

type Socket = Pick<WebSocket, "close" | "onopen" | "onmessage" | "onclose">;

/** What a follower needs of the browser. */
interface Surroundings {
  readonly openSocket: (path: string) => Promise<Socket>;
  readonly send: typeof send;
  /** Resolves after the time, or earlier if the network comes back or the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly isOnline: () => boolean;
  /** @returns a function that ends the watch. */
  readonly whenOffline: (task: () => void) => () => void;
}

function listen(name: "offline" | "online", task: () => void): () => void {
  addEventListener(name, task);
  return () => removeEventListener(name, task);
}

const BROWSER: Surroundings = {
  openSocket,
  send,
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        ignore();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      const ignore = listen("online", end);
      signal.addEventListener("abort", end);
    }),
  random: Math.random,
  isOnline: () => navigator.onLine,
  whenOffline: (task) => listen("offline", task),
};

/** The service sends a ping at least every four minutes. */
const SILENCE_MS = 330_000;
const HANDSHAKE_MS = 15_000;
/** A connection that closes earlier is a failure, so that its next attempt waits. */
const LASTING_MS = 10_000;
/** After so many failures in a row, also of a network that has let WebSockets pass before, the page uses the stream. */
const FAILURES_BEFORE_STREAM = 3;

/** @param path `/notifications`, or that of a project. Resolves when the signal is aborted, or the caller may not follow. */
export async function follow(path: string, follower: Follower, around = BROWSER): Promise<void> {
  await new Following(path, follower, around).run();
}

class Following {
  readonly #path: string;
  readonly #follower: Follower;
  readonly #around: Surroundings;
  /** The number of the last event that the page has. */
  #since: number | undefined;
  #hasOpened = false;
  #failures = 0;

  constructor(path: string, follower: Follower, around: Surroundings) {
    this.#path = path;
    this.#follower = follower;
    this.#around = around;
  }

  async run(): Promise<void> {
    const { signal } = this.#follower;
    while (!signal.aborted) {
      const began = performance.now();
      const hasOpened = this.#around.isOnline() && (await this.#followSocket());
      if (signal.aborted) return;
      const hasLasted = hasOpened && performance.now() - began >= LASTING_MS;
      this.#failures = hasLasted ? 0 : this.#failures + 1;
      if (!hasOpened && !(await this.#explain())) return;
      if (!signal.aborted)
        await this.#around.pause(pauseAfter(this.#failures, this.#around.random()), signal);
    }
  }

  #query(): string {
    return this.#since === undefined ? "" : `?since=${this.#since}`;
  }

  /** @returns whether the WebSocket has opened; it is closed now. */
  async #followSocket(): Promise<boolean> {
    const { signal } = this.#follower;
    let socket: Socket;
    try {
      socket = await this.#around.openSocket(`${this.#path}/ws${this.#query()}`);
    } catch {
      return false;
    }
    const { promise, resolve: end } = Promise.withResolvers<boolean>();
    let isOpen = false;
    const finish = () => end(isOpen);
    let silence = setTimeout(finish, HANDSHAKE_MS);
    const hear = () => {
      clearTimeout(silence);
      silence = setTimeout(finish, SILENCE_MS);
    };
    socket.onopen = () => {
      isOpen = true;
      hear();
      this.#noteConnection();
    };
    socket.onmessage = ({ data }) => {
      hear();
      this.#receive(JSON.parse(String(data)), { isOrdered: false });
    };
    socket.onclose = finish;
    signal.addEventListener("abort", finish);
    const ignore = this.#around.whenOffline(finish);
    if (signal.aborted) finish();
    const result = await promise;
    ignore();
    signal.removeEventListener("abort", finish);
    clearTimeout(silence);
    // Closing takes a while on a network that is gone. What arrives meanwhile comes again after the last event.
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    return result;
  }

  #noteConnection(): void {
    this.#hasOpened = true;
    this.#follower.onConnection(true);
    if (this.#since === undefined) this.#follower.onGap();
  }

  /** @param isOrdered also events without numbers of their own have one: that of the event before them. */
  #receive(event: ServiceEvent, { isOrdered }: { readonly isOrdered: boolean }): void {
    const { action, seq } = event;
    // API Gateway's own messages have no action.
    if (typeof action !== "string") return;
    if (action === "ping") {
      this.#since = seq ?? this.#since;
      return;
    }
    if (seq !== undefined) {
      if (!isOrdered && this.#since !== undefined && seq <= this.#since) return;
      this.#since = seq;
    }
    if (event.event?.replaces === undefined) this.#follower.onEvent(event);
    else this.#follower.onGap();
  }

  /** Finds out why no WebSocket was opened, and uses the stream where that is why. @returns false when following has ended. */
  async #explain(): Promise<boolean> {
    const { signal, onConnection } = this.#follower;
    const streams = !this.#hasOpened || this.#failures >= FAILURES_BEFORE_STREAM;
    try {
      if (streams) await this.#followStream();
      else await this.#around.send("HEAD", this.#path + this.#query(), { signal });
    } catch (error) {
      if (signal.aborted) return false;
      const { status } = error instanceof ApiProblem ? error : { status: 0 };
      if ([401, 403, 404].includes(status)) return false;
      if (status === 410) this.#since = undefined;
      else onConnection(false);
    }
    return true;
  }

  async #followStream(): Promise<void> {
    const { signal, onConnection, onGap } = this.#follower;
    // A response that waits for events does not notice that the network is gone.
    const lost = new AbortController();
    const ignore = this.#around.whenOffline(() => lost.abort());
    try {
      const { body } = await this.#around.send("GET", this.#path + this.#query(), {
        signal: AbortSignal.any([signal, lost.signal]),
      });
      onConnection(true);
      if (this.#since === undefined) onGap();
      for await (const event of readLines(body!)) this.#receive(event, { isOrdered: true });
      this.#failures = 0;
    } finally {
      ignore();
    }
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<ServiceEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
}
