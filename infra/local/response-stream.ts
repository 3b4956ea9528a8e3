/**
 * The stream that a streaming handler writes to. It posts each chunk to the gateway and waits until the client has received it.
 * It buffers the writes of one turn of the event loop first: if they are the whole response, it posts them as one message.
 */
import { Writable } from "node:stream";
import type { FromWorker } from "./lambda-messages.ts";

/** The high-water mark of the stream, and the maximum size of one message. */
const BUFFER_BYTES = 64 * 1024;

export class ResponseStream extends Writable {
  /** The JSON text of status, headers and cookies; sent with the first write, as in Lambda's runtime. */
  prelude: string | null = null;
  cancelled = false;
  readonly #id: string;
  readonly #post: (message: FromWorker) => void;
  /** The chunks that were written before the head was sent. */
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #sending: NodeJS.Immediate | undefined;
  #begun = false;
  #isHeadSent = false;
  #ended = false;
  #written: (() => void) | null = null;

  constructor(id: string, post: (message: FromWorker) => void) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#id = id;
    this.#post = post;
    this.on("error", () => {});
  }

  /** Part of Lambda's interface. Without effect here: the prelude has the content type. */
  setContentType(_contentType: string): void {}

  /** Called when the client has received the last chunk. */
  takeMore(): void {
    const written = this.#written;
    this.#written = null;
    written?.();
  }

  /** Called when the client has disconnected: later writes fail with ABORT_ERR, which is not a fault of the handler. */
  cancel(): void {
    this.cancelled = true;
    this.destroy(Object.assign(new Error("the client has gone"), { code: "ABORT_ERR" }));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.#begun = true;
    if (!this.#isHeadSent && this.#gatheredBytes + chunk.length > BUFFER_BYTES) this.#sendGathered();
    if (this.#isHeadSent && chunk.length > 0) {
      this.#written = written;
      this.#post({ kind: "chunk", id: this.#id, bytes: new Uint8Array(chunk) });
      return;
    }
    if (!this.#isHeadSent) this.#gather(chunk);
    written();
  }

  #gather(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#gathered.push(new Uint8Array(chunk));
    this.#gatheredBytes += chunk.length;
    // A handler with the whole response ends the stream before this callback runs.
    this.#sending ??= setImmediate(() => this.#sendGathered());
  }

  /** As in Lambda, a stream that ends without a write has sent no prelude, so the response is missing: a fault. */
  override _final(done: () => void): void {
    this.#ended = true;
    clearImmediate(this.#sending);
    const id = this.#id;
    if (this.#isHeadSent) this.#post({ kind: "end", id });
    else if (this.#begun) this.#post({ kind: "whole", id, prelude: this.prelude, bytes: this.#joined() });
    else this.#post({ kind: "fault", id, message: "the response stream ended before the first write" });
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearImmediate(this.#sending);
    if (!this.cancelled && !this.#ended) {
      if (this.#begun && !this.#isHeadSent) this.#sendGathered();
      const message = error?.stack ?? "the response stream was destroyed";
      this.#post({ kind: "fault", id: this.#id, message });
    }
    done(error);
  }

  #sendGathered(): void {
    clearImmediate(this.#sending);
    this.#isHeadSent = true;
    const bytes = this.#joined();
    this.#post({ kind: "head", id: this.#id, prelude: this.prelude });
    if (bytes.length > 0) this.#post({ kind: "chunk", id: this.#id, bytes });
  }

  /** The buffered chunks as one array with its own memory, which can be transferred to another thread. */
  #joined(): Uint8Array {
    const [first = new Uint8Array(), ...others] = this.#gathered;
    if (others.length === 0) return first;
    const bytes = new Uint8Array(this.#gatheredBytes);
    let offset = 0;
    for (const part of this.#gathered) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return bytes;
  }
}
