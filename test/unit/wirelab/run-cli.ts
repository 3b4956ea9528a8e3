/** Runs the command line without a process, on streams that hold its input and collect its output. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterAll } from "vitest";
import { main } from "../../../packages/wirelab/main.ts";

export const FIXTURE = new URL("../../fixtures/veth-lab.pcap", import.meta.url).pathname;
export const CLI = new URL("../../../packages/wirelab/wirelab.js", import.meta.url).pathname;
/** The project's Node; the tests may run on an older one. */
export const NODE = new URL("../../../node_modules/.bin/node", import.meta.url).pathname;

interface Run {
  code: number;
  stdout: Buffer;
  stderr: string;
}

interface Terminal {
  stdin?: Uint8Array | Iterable<Uint8Array> | undefined;
  stdoutIsTTY?: boolean;
  stderrIsTTY?: boolean;
}

export async function runCli(args: string[], terminal: Terminal = {}): Promise<Run> {
  const { stdin = [], stdoutIsTTY = false, stderrIsTTY = false } = terminal;
  const stdout = new Collector(stdoutIsTTY);
  const stderr = new Collector(stderrIsTTY);
  const chunks = stdin instanceof Uint8Array ? [stdin] : stdin;
  const code = await main(args, { stdin: Readable.from(chunks, { objectMode: false }), stdout, stderr });
  return { code, stdout: stdout.content(), stderr: stderr.content().toString() };
}

class Collector extends Writable {
  readonly isTTY: boolean;
  readonly #chunks: Buffer[] = [];

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  content(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // Copies the chunk, because the writer may reuse its buffer after the write.
    this.#chunks.push(Buffer.from(chunk));
    done();
  }
}

/** A folder for one test file, removed after its tests. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-cli-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
