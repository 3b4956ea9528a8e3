/** The stream a streaming handler writes to: hands each chunk to the gateway and waits until the client has taken it. */
import { Writable } from "node:stream";
import type { FromWorker } from "./lambda-messages.ts";

const BUFFER_BYTES = 64 * 1024;

export class ResponseStream extends Writable {
  /** The JSON text of status, headers and cookies; sent with the first write, as in Lambda's own runtime. */
  prelude: string | null = null;
  cancelled = false;
  readonly #id: string;
  readonly #post: (message: FromWorker) => void;
  #begun = false;
  #ended = false;
  #written: (() => void) | null = null;

  constructor(id: string, post: (message: FromWorker) => void) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#id = id;
    this.#post = post;
    this.on("error", () => {});
  }

  /** Part of Lambda's interface; the prelude says it all here. */
  setContentType(_contentType: string): void {}

  /** The client has taken the last chunk. */
  takeMore(): void {
    const written = this.#written;
    this.#written = null;
    written?.();
  }

  /** The client has gone: whoever writes here is told by an error, which is no fault of theirs. */
  cancel(): void {
    this.cancelled = true;
    this.destroy(Object.assign(new Error("the client has gone"), { code: "ABORT_ERR" }));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    if (!this.#begun) this.#post({ kind: "head", id: this.#id, prelude: this.prelude });
    this.#begun = true;
    if (chunk.length === 0) {
      written();
      return;
    }
    this.#written = written;
    this.#post({ kind: "chunk", id: this.#id, bytes: new Uint8Array(chunk) });
  }

  /** A stream that ends without one write has sent no prelude, in Lambda neither: that is no response. */
  override _final(done: () => void): void {
    this.#ended = true;
    if (this.#begun) this.#post({ kind: "end", id: this.#id });
    else
      this.#post({
        kind: "fault",
        id: this.#id,
        message: "the response stream ended before the first write",
      });
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.cancelled && !this.#ended) {
      this.#post({
        kind: "fault",
        id: this.#id,
        message: error?.stack ?? "the response stream was destroyed",
      });
    }
    done(error);
  }
}
