/** The entry point of the thread that reads the streams of tables: table-streams.ts. */
import { parentPort, workerData } from "node:worker_threads";
import type { FromStreamThread, StreamThreadSetup, ToStreamThread } from "./stream-thread.ts";
import { openTrimmer } from "./stream-trim.ts";
import { followStreams } from "./table-streams.ts";
import { type StreamDefinition, withMatches } from "./template/streams.ts";

const { streams, settings, positionsFile, databaseFile } = workerData as StreamThreadSetup;
const port = parentPort!;
const post = (message: FromStreamThread): void => port.postMessage(message);

const compiled: readonly StreamDefinition[] = streams.map(withMatches);
const waiting = new Map<number, (isSettled: boolean) => void>();
let count = 0;
const trimmer = databaseFile === undefined ? undefined : openTrimmer(databaseFile);
const stop = followStreams(compiled, {
  settings,
  positionsFile,
  trimmer,
  report: (line) => post({ kind: "report", line }),
  deliver(stream, shardId, batch) {
    count += 1;
    post({ kind: "batch", id: count, stream: compiled.indexOf(stream), shardId, batch });
    return new Promise((resolve) => waiting.set(count, resolve));
  },
});

port.on("message", async (message: ToStreamThread) => {
  if (message.kind === "settled") {
    waiting.get(message.id)?.(message.isSettled);
    waiting.delete(message.id);
    return;
  }
  await stop();
  trimmer?.close();
  port.close();
});
