/** A shell script that the guest runs beside its console, over the second serial port (image/init.ts). */

export interface JobResult {
  readonly code: number;
  readonly output: string;
}

export const JOB_PORT = 1;

export class Job {
  readonly #call: (result: JobResult) => void;
  #received = "";
  #isDone = false;

  constructor(call: (result: JobResult) => void) {
    this.#call = call;
  }

  /** What the guest is sent. */
  static request(script: string): Uint8Array {
    const bytes = new TextEncoder().encode(script);
    return new Uint8Array([...new TextEncoder().encode(`${bytes.length}\n`), ...bytes]);
  }

  receive(data: Uint8Array): void {
    this.#received += String.fromCharCode(...data);
    const [head, code, length] = /^([0-9]+) +([0-9]+)\r?\n/.exec(this.#received) ?? [];
    if (head === undefined || this.#isDone) return;
    const output = this.#received.slice(head.length);
    if (output.length < Number(length)) return;
    this.#isDone = true;
    this.#call({ code: Number(code), output: utf8(output) });
  }
}

/** Bytes that were read as characters of one byte. */
const utf8 = (text: string): string => Buffer.from(text, "latin1").toString("utf8");
