/** Reads the lab file of a request. */

import { formatPath, LabFileError } from "@wirelab/lab/file/problem";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { Guests } from "@wirelab/lab/read/guests";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { invalidRequest } from "../edge/errors.ts";

/**
 * @param guests without them, Linux nodes are refused.
 * @throws ApiError with the line and column of each problem.
 */
export function readModel(body: Uint8Array, guests?: Guests): LabModel {
  const text = decode(body);
  try {
    return parseLabFile(text, { name: "lab", ...(guests && { guests }) });
  } catch (error) {
    if (!(error instanceof LabFileError)) throw error;
    throw invalidRequest(
      error.problems.map(({ path, place, message }) => ({
        path: place ? `body:${place.line}:${place.column}` : "body",
        message: `${formatPath(path)} ${message}`.trim(),
      })),
    );
  }
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw invalidRequest([{ path: "body", message: "is not UTF-8" }]);
  }
}
