import { define, type Facts } from "../error-definition.ts";

/** Errors of labs with Linux nodes: docs/linux-nodes.md. */
export const GUEST_ERRORS = {
  "node.needs-guests": define(
    409,
    (f: Facts<"name">) =>
      `The lab has the Linux node ${f.name}, which is on: it runs with POST /run, and with consoles and the routes of power`,
  ),
  "node.no-linux-image": define(
    409,
    (f: Facts<"name" | "image">) =>
      `Node ${f.name} needs the image ${f.image}, which this service does not have; run: wirelab image build ${f.image} && ` +
      `wirelab image push ${f.image}`,
  ),
  "node.linux-image-changed": define(
    409,
    (f: Facts<"name" | "image">) =>
      `The image ${f.image} has changed since node ${f.name} was started; close the project, open it and start the node again`,
  ),
  "run.too-many-guests": define(
    409,
    (f: Facts<"limit">) =>
      `A run has at most ${f.limit} Linux nodes that are on; stop others, or raise linux_max_guests`,
  ),
  "run.too-much-memory": define(
    409,
    (f: Facts<"amount" | "limit">) =>
      `The Linux nodes that are on have ${f.amount} MiB of memory, and those of a run have at most ${f.limit}; stop others, or raise ` +
      "linux_max_memory_mb",
  ),
  "run.too-much-state": define(
    409,
    (f: Facts<"amount" | "limit">) =>
      `The states of the Linux nodes that are on have ${f.amount} MiB after the run, and they may have ${f.limit}; have the guests write less ` +
      "to memory and files, stop nodes, or raise linux_max_state_mb",
  ),
  "run.no-room": define(
    409,
    (f: Facts<"whose" | "count" | "limit">) =>
      `The captures, files, snapshots and Linux nodes of ${f.whose} hold ${f.count} bytes, and the quota is ${f.limit}: a run with Linux ` +
      "nodes would store more; delete captures, files or snapshots, or stop Linux nodes",
  ),
  "run.guests-failed": define(
    500,
    (f: Facts<"run_id">) =>
      `The function of run ${f.run_id} has ended before its answer: the lab is as before the run, or, if that was committed, as after ` +
      "it; read the lab, and try again",
  ),
  "run.not-found": define(404, (f: Facts<"run_id">) => `Run ID ${f.run_id} doesn't exist`),
} as const;
