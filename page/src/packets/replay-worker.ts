/// <reference lib="webworker" />
/** Replays one packet beside the page. */
import type { LinkEnd } from "@wirelab/lab/model/lab-model";
import { readModel } from "../tests/play.ts";
import { type Replayed, replayPacket } from "./replay-packet.ts";

export interface ReplayRequest {
  /** The project as the service exports it. */
  readonly archive: Uint8Array;
  readonly from: LinkEnd;
  readonly frame: Uint8Array;
}

export type ReplayResponse = { readonly replayed: Replayed } | { readonly problem: string };

self.onmessage = ({ data: { archive, from, frame } }: MessageEvent<ReplayRequest>) => {
  const post = (response: ReplayResponse): void => self.postMessage(response);
  try {
    post({ replayed: replayPacket(readModel(archive, "expect: []"), from, frame) });
  } catch (error) {
    post({ problem: error instanceof Error ? error.message : String(error) });
  }
};
