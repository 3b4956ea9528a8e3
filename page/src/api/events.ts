/** Follows the events of a project or of the service: lines of JSON in a response that does not end. */
import { ApiProblem, send } from "./call.ts";

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

const RETRY_MS = 2000;

/** @param path `/notifications`, or that of a project. Resolves when the signal is aborted. */
export async function follow(path: string, follower: Follower): Promise<void> {
  const { signal, onGap, onConnection } = follower;
  let since: number | undefined;
  while (!signal.aborted) {
    // A response that waits for events does not notice that the network is gone.
    const lost = new AbortController();
    const giveUp = () => lost.abort();
    addEventListener("offline", giveUp);
    try {
      const query = since === undefined ? "" : `?since=${since}`;
      const { body } = await send("GET", path + query, { signal: AbortSignal.any([signal, lost.signal]) });
      onConnection(true);
      if (since === undefined) onGap();
      for await (const event of readLines(body!)) {
        if (event.seq !== undefined) since = event.seq;
        if (event.action !== "ping") follower.onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      const { status } = error instanceof ApiProblem ? error : { status: 0 };
      if (status === 410) since = undefined;
      else if (status === 404 || status === 401 || status === 403) return;
      else onConnection(false);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } finally {
      removeEventListener("offline", giveUp);
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
