/** The capture files of computes: each capture has one, named after its id, so that none overwrites another. */
import type { IncomingMessage } from "node:http";
import { headerOf } from "@wirelab/engine/link/capture-header";
import { CaptureError } from "@wirelab/engine/pcap/capture-error";
import { open } from "../compute/call.ts";
import { findPeer } from "../compute/find.ts";
import { capturePath } from "../compute/paths.ts";
import type { Call, Peer } from "../compute/peer.ts";
import { unreachable } from "../compute/refusal.ts";
import { createProject, isForgotten } from "../compute/there.ts";
import { type ApiError, failureOf } from "../edge/errors.ts";
import { CALL_ERRORS } from "../edge/own-errors/call.ts";
import type { CaptureItem } from "../store/lab/capture.ts";
import { Recording } from "./recording.ts";

/** The attributes of a capture that identify and describe its file. */
export type CaptureThere = Pick<
  CaptureItem,
  "project_id" | "capture_id" | "data_link_type" | "options" | "at"
>;

/** @throws ApiError `compute.refused` for a file that is gone or damaged, and those of the compute. */
async function openFile(peer: Peer, capture: CaptureThere): Promise<IncomingMessage> {
  const { project_id, capture_id } = capture;
  const read: Call = { method: "GET", path: capturePath(project_id, capture_id) };
  const attempt = () =>
    open(peer, read).catch((error: unknown) => {
      if (isForgotten(error)) return undefined;
      throw error;
    });
  const opened = await attempt();
  if (opened) return opened;
  // A compute that was restarted, or whose project was closed, has the files of the project and does not know it.
  await createProject(peer, project_id);
  const again = await attempt();
  if (again) return again;
  throw unreadable(peer, capture_id, "not there any more");
}

/**
 * Reads the file of a capture from its compute, as much as there is.
 * @param recording counts what is yielded.
 * @throws ApiError `compute.refused` for a file that is gone or damaged, and those of the compute.
 */
export async function* readThere(capture: CaptureThere, recording: Recording): AsyncGenerator<Uint8Array> {
  const peer = await findPeer(capture.at!.compute_id, capture.project_id);
  const file = await openFile(peer, capture);
  yield headerOf(capture);
  yield* recorded(peer, capture, file, recording);
}

/** Like `readThere`, for callers that need no counts. */
export async function* readAllThere(capture: CaptureThere): AsyncGenerator<Uint8Array> {
  yield* readThere(capture, await Recording.make(capture));
}

/** Yields the records of a response with a capture's file, and destroys the response when no more are recorded. */
export async function* recorded(
  peer: Peer,
  { capture_id }: CaptureThere,
  file: IncomingMessage,
  recording: Recording,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      const records = recording.push(chunk);
      if (records.length > 0) yield records;
      if (recording.limitReached) break;
    }
  } catch (error) {
    throw faultOf(error, peer, capture_id);
  }
}

function faultOf(error: unknown, peer: Peer, capture_id: string): ApiError {
  if (!(error instanceof CaptureError)) return unreachable(peer, error);
  return unreadable(peer, capture_id, `damaged: ${error.message}`);
}

const unreadable = ({ name }: Peer, capture_id: string, detail: string): ApiError =>
  failureOf(CALL_ERRORS, "compute.refused", {
    name,
    detail: `the file of capture ${capture_id} is ${detail}`,
  });
