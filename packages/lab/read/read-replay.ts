/** Reads the capture that an event replays. */
import { NS_PER_SECOND, NS_PER_US } from "@wirelab/engine/base/time";
import { type CaptureFrame, LINKTYPE_ETHERNET, readCapture } from "@wirelab/engine/pcap/index";
import type { Path, Problems } from "../file/problem.ts";
import type { Deed } from "../model/lab-model.ts";
import type { Names } from "./names.ts";

/** Reads a file that a lab file names, relative to it. @throws Error in words. */
export type LoadFile = (path: string) => Uint8Array;

interface ReplayData {
  readonly file: string;
  readonly from: string;
  readonly port?: string | number | undefined;
}

export function readReplay(
  { file, from, port: portText = 0 }: ReplayData,
  path: Path,
  names: Names,
  load: LoadFile,
  problems: Problems,
): Deed[] {
  const node = names.node(from, [...path, "from"]);
  const port = node && names.port(node, portText, [...path, "port"]);
  const frames = readFrames(file, [...path, "file"], load, problems);
  if (port === undefined || frames === undefined) return [];
  return [{ kind: "replay", from: { node: from, port }, file, frames: planFrames(frames) }];
}

function readFrames(
  file: string,
  path: Path,
  load: LoadFile,
  problems: Problems,
): readonly CaptureFrame[] | undefined {
  let bytes: Uint8Array;
  try {
    bytes = load(file);
  } catch (error) {
    problems.add(path, `cannot be read: ${(error as Error).message}.`);
    return undefined;
  }
  const read = readCapture(bytes);
  if (!read.ok) problems.add(path, `is not a capture: ${read.error.message}.`);
  else if (read.interfaces.some(({ linkType }) => linkType !== LINKTYPE_ETHERNET)) {
    problems.add(path, "is not a capture of Ethernet.");
  } else return read.frames;
  return undefined;
}

/** Plans each frame at its offset from the first. A frame with an earlier time than the one before it follows at once. */
function planFrames(frames: readonly CaptureFrame[]): { offsetNs: number; data: Uint8Array }[] {
  const first = frames[0];
  let latestNs = 0;
  return frames.map(({ seconds, nanoseconds, data }) => {
    const offsetNs = (seconds - first!.seconds) * NS_PER_SECOND + nanoseconds - first!.nanoseconds;
    latestNs = Math.max(latestNs, offsetNs - (offsetNs % NS_PER_US));
    return { offsetNs: latestNs, data };
  });
}
