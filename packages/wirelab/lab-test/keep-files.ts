/** Writes files that a lab has collected from its nodes beside the captures: `.wirelab/wan.seed-17/r1/tmp/iperf.json`. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AskedFile } from "@wirelab/lab/play/collect-files";
import { onFile } from "../file-error.ts";
import type { KeptFile } from "./result.ts";

/** @param folder of the case. @throws DataError */
export const keepFiles = (folder: string, files: readonly AskedFile[]): KeptFile[] =>
  files.flatMap(({ node, path, answer }) => {
    const file = join(folder, node, path);
    if (answer.kind !== "content") {
      // That of a play before would be taken for that of this one.
      onFile("write", file, () => rmSync(file, { force: true }));
      return [];
    }
    onFile("write", file, () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, answer.data);
    });
    return [{ node, path, file, bytes: answer.data.length }];
  });
