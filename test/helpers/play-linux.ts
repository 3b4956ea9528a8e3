/** Plays a lab with Linux guests: what the nodes print, and all frames. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FrameLog, type LoggedFrame } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { loadLabFile } from "../../packages/wirelab/index.ts";

export const hasImage = (name: string): boolean =>
  readFacts(imagesFolder(cacheFolder(process.env)), name) !== undefined;

export interface PlayedLab {
  /** What the events of the file have the node print, in order. */
  printed(node: string): string;
  readonly frames: readonly LoggedFrame[];
}

/** @param text of a lab file. */
export function playWithFrames(text: string): PlayedLab {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-linux-")), "lab.yaml");
  writeFileSync(file, text);
  const log = new FrameLog();
  const { timeline } = play(loadLabFile(file), { watchers: { timeline: log } });
  return {
    printed: (node) =>
      timeline.sessions
        .filter(({ nodeId }) => nodeId === node)
        .map(({ output }) => output)
        .join(""),
    frames: log.frames,
  };
}
