/** Asks a replay of the lab why a packet went no further. */
import type { LinkEnd } from "@wirelab/lab/model/lab-model";
import { useState } from "preact/hooks";
import { send } from "../api/call.ts";
import type { Lab } from "../lab/lab.ts";
import { endOfLink, idOfLink } from "../tests/find-failed.ts";
import { attempt } from "../ui/notices.tsx";
import { agrees, type Replayed } from "./replay-packet.ts";
import type { ReplayRequest, ReplayResponse } from "./replay-worker.ts";
import type { WayStep } from "./way.ts";

interface Properties {
  readonly lab: Lab;
  readonly steps: readonly WayStep[];
  /** The link on which the packet was captured that is replayed, and its bytes. */
  readonly linkId: string;
  readonly frame: Uint8Array;
  readonly isCaptured: (linkId: string) => boolean;
}

export const Cause = ({ lab, steps, linkId, frame, isCaptured }: Properties) => {
  const [words, setWords] = useState("");
  const [isPlaying, setPlaying] = useState(false);
  const find = async () => {
    setPlaying(true);
    try {
      const at = steps.findIndex(({ kind, id }) => kind === "link" && id === linkId);
      const from = endOfLink(lab.links.value.get(linkId)!, steps[at - 1]!.id, lab.nodes.value);
      const replayed = await replay(lab.path, from, frame.slice());
      const went = replayed.links.map((ends) => idOfLink(ends, lab.nodes.value, lab.links.value));
      const seen = steps.slice(at).flatMap(({ kind, id }) => (kind === "link" ? [id] : []));
      setWords(wordsOf(replayed, agrees(seen, went, replayed.end, isCaptured)));
    } finally {
      setPlaying(false);
    }
  };
  return (
    <p class="cause">
      <button type="button" disabled={isPlaying} onClick={() => attempt(find)}>
        {isPlaying ? "Playing the lab…" : "Find the cause"}
      </button>
      <span role="status">{words}</span>
    </p>
  );
};

function wordsOf({ end }: Replayed, hasAgreed: boolean): string {
  if (!hasAgreed)
    return "A replay of the lab as it is now took another way, so it does not explain the captures.";
  return end === undefined
    ? "In a replay of the lab as it is now, its last device takes it."
    : `In a replay of the lab as it is now: ${end.words}.`;
}

/** @throws ApiProblem when the lab cannot be exported, Error in words when it cannot be played. */
async function replay(path: string, from: LinkEnd, frame: Uint8Array): Promise<Replayed> {
  const exported = await send("GET", `${path}/export`);
  const request: ReplayRequest = { archive: new Uint8Array(await exported.arrayBuffer()), from, frame };
  const worker = new Worker(new URL("./replay-worker.ts", import.meta.url), { type: "module" });
  try {
    const response = await new Promise<ReplayResponse>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<ReplayResponse>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(request);
    });
    if ("problem" in response) throw new Error(`The lab cannot be replayed: ${response.problem}`);
    return response.replayed;
  } finally {
    worker.terminate();
  }
}
