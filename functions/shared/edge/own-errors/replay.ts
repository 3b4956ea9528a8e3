import { define, type Facts } from "../error-definition.ts";

export const REPLAY_ERRORS = {
  "replay.not-a-capture": define(
    400,
    (f: Facts<"detail">) => `The body is not a usable capture file: ${f.detail}`,
  ),
  "replay.no-peer": define(
    409,
    (f: Facts<"ends">) => `A replay needs a link with two ends; this one has ${f.ends}`,
  ),
  "replay.not-an-end": define(
    404,
    (f: Facts<"node_id">) => `Node ID ${f.node_id} is not an end of this link`,
  ),
  "replay.link-type": define(
    409,
    (f: Facts<"file" | "capture">) => `The file has ${f.file}, the running capture records ${f.capture}`,
  ),
  "replay.bpf-link-type": define(
    409,
    (f: Facts<"detail">) => `The link's bpf filter cannot judge the packets of this file: ${f.detail}`,
  ),
} as const;
