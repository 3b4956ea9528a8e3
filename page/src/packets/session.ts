/** The packets of the captures that a view shows: a worker holds them, and signals follow what it reports. */
import { signal } from "@preact/signals";
import { ApiProblem, send } from "../api/call.ts";
import type { Counts, FilterProblem, Packet, Request, Response, Row, Source } from "./model.ts";

/** A capture to show, and whether it is still recorded. */
export interface Chosen extends Source {
  readonly isRunning: boolean;
}

const NONE: Counts = { total: 0, matched: 0, generation: 0, damaged: [] };

/** The requests to a worker without their numbers. */
type Question =
  | Omit<Extract<Request, { type: "rows" }>, "id">
  | Omit<Extract<Request, { type: "packet" }>, "id">;

export class PacketSession {
  readonly counts = signal<Counts>(NONE);
  readonly problem = signal<FilterProblem | undefined>(undefined);
  /** How many captures are being read. */
  readonly reading = signal(0);
  /** What has kept a capture from being read, in words. */
  readonly failures = signal<readonly string[]>([]);
  readonly sources = signal<readonly Chosen[]>([]);
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<number, (value: never) => void>();
  readonly #filtered: (() => void)[] = [];
  #lastId = 0;
  #stop = new AbortController();

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Response>) => this.#take(data);
  }

  #take(response: Response): void {
    if (response.type === "counts") this.counts.value = response.counts;
    else if (response.type === "filtered") {
      this.problem.value = response.problem;
      this.#filtered.shift()?.();
    } else {
      this.#waiting.get(response.id)?.((response.type === "rows" ? response.rows : response.packet) as never);
      this.#waiting.delete(response.id);
    }
  }

  #post(request: Request, transferred: Transferable[] = []): void {
    this.#worker.postMessage(request, transferred);
  }

  #ask<T>(question: Question): Promise<T> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#post({ ...question, id } as Request);
    });
  }

  /**
   * Reads captures, instead of those before.
   * @param path that of the project.
   * @param isFollowing whether running captures are read as they grow.
   */
  open(path: string, sources: readonly Chosen[], isFollowing: boolean): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.sources.value = sources;
    this.failures.value = [];
    this.reading.value = 0;
    this.#post({ type: "open", sources });
    const { signal } = this.#stop;
    for (const [index, source] of sources.entries())
      void this.#read(path, index, source, isFollowing, signal);
  }

  async #read(
    path: string,
    index: number,
    { captureId, linkId, name, isRunning }: Chosen,
    isFollowing: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    // The route of one capture redirects to the bucket, which is another origin.
    const file = isRunning && isFollowing ? `links/${linkId}/pcap` : `pcapng?captures=${captureId}`;
    this.reading.value += 1;
    try {
      const { body } = await send("GET", `${path}/${file}`, { signal });
      const reader = body!.getReader();
      for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read())
        this.#post({ type: "bytes", source: index, bytes: part.value }, [part.value.buffer]);
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof ApiProblem ? error.message : "the connection was lost";
      this.failures.value = [...this.failures.value, `${name}: ${reason}`];
    } finally {
      if (!signal.aborted) this.reading.value -= 1;
    }
  }

  /** Resolves when the list shows the packets that match, or `problem` has the reason why it does not. */
  filter(expression: string): Promise<void> {
    this.#post({ type: "filter", expression });
    return new Promise((resolve) => this.#filtered.push(resolve));
  }

  rows(from: number, count: number): Promise<readonly Row[]> {
    return this.#ask({ type: "rows", from, count });
  }

  packet(index: number): Promise<Packet | undefined> {
    return this.#ask({ type: "packet", index });
  }

  close(): void {
    this.#stop.abort();
    this.#worker.terminate();
  }
}
