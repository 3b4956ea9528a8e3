/** A shell script that the guest runs beside its console, over the second serial port (image/init.ts). */
import type { ScriptResult } from "@wirelab/engine/devices/device";

export const JOB_PORT = 1;

const HEAD = /^([0-9]+) +([0-9]+)\r?\n/;

export class Job {
  readonly #call: (result: ScriptResult) => void;
  /** Until the first line is complete. */
  #head = "";
  #answer: { readonly code: number; readonly length: number } | undefined;
  readonly #parts: string[] = [];
  #length = 0;
  #isDone = false;

  constructor(call: (result: ScriptResult) => void) {
    this.#call = call;
  }

  /** What the guest is sent. */
  static request(script: string): Uint8Array {
    const bytes = new TextEncoder().encode(script);
    return new Uint8Array([...new TextEncoder().encode(`${bytes.length}\n`), ...bytes]);
  }

  receive(data: Uint8Array): void {
    if (this.#isDone) return;
    let text = Buffer.from(data).toString("latin1");
    if (this.#answer === undefined) {
      this.#head += text;
      const [head, code, length] = HEAD.exec(this.#head) ?? [];
      if (head === undefined) return;
      this.#answer = { code: Number(code), length: Number(length) };
      text = this.#head.slice(head.length);
    }
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length < this.#answer.length) return;
    this.#isDone = true;
    this.#call({ code: this.#answer.code, output: utf8(this.#parts.join("")) });
  }
}

/** Bytes that were read as characters of one byte. */
const utf8 = (text: string): string => Buffer.from(text, "latin1").toString("utf8");
