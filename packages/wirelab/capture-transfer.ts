/** Transfers one capture to another: opens both, closes both in every case, and leaves no partial output. */

import { type CaptureInput, openInput } from "./capture-input.ts";
import { type CaptureOutput, NO_OUTPUT, openOutput } from "./capture-output.ts";
import type { Surroundings } from "./command-line.ts";
import { Progress } from "./progress.ts";

export interface Transfer {
  readonly input: CaptureInput;
  readonly output: CaptureOutput;
  readonly progress: Progress;
}

/** Calls `work` with input and output; commits the output if `work` succeeds. Without `outPath`, discards the output. */
export async function transferCapture<T>(
  inPath: string,
  outPath: string | undefined,
  surroundings: Surroundings,
  work: (transfer: Transfer) => Promise<T>,
): Promise<T> {
  const input = await openInput(inPath, surroundings);
  try {
    const output = outPath === undefined ? NO_OUTPUT : await openOutput(outPath, input, surroundings);
    const progress = new Progress(input, surroundings);
    try {
      const result = await work({ input, output, progress });
      await output.commit();
      return result;
    } finally {
      progress.end();
      await output.abandon();
    }
  } finally {
    await input.close();
  }
}
