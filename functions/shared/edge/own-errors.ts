/** Errors that few functions answer, in a table for each, so that the other bundles do not load their texts. */
import { define, type Facts } from "./error-definition.ts";

export const SYMBOL_ERRORS = {
  "symbol.not-found": define(404, (f: Facts<"symbol_id">) => `Symbol ${f.symbol_id} doesn't exist`),
  "symbol.builtin": define(
    409,
    (f: Facts<"symbol_id" | "done">) => `${f.symbol_id} is a built-in symbol and cannot be ${f.done}`,
  ),
  "symbol.no-size": define(
    404,
    (f: Facts<"symbol_id">) => `The size of symbol ${f.symbol_id} is not in its content`,
  ),
} as const;

export const TEMPLATE_ERRORS = {
  "template.not-found": define(
    404,
    (f: Facts<"template_id">) => `Template ID ${f.template_id} doesn't exist`,
  ),
  "template.id-taken": define(
    409,
    (f: Facts<"template_id">) => `Template ID ${f.template_id} already exists`,
  ),
  "template.builtin": define(
    409,
    (f: Facts<"template_id" | "done">) =>
      `Template ID ${f.template_id} is built in, so it cannot be ${f.done}`,
  ),
} as const;

export const SWEEP_ERRORS = {
  "sweep.not-found": define(404, (f: Facts<"sweep_id">) => `Sweep ID ${f.sweep_id} doesn't exist`),
  "sweep.running": define(
    409,
    (f: Facts<"sweep_id">) => `Sweep ${f.sweep_id} of yours still runs; wait, or delete it`,
  ),
} as const;

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

export const LINK_ERRORS = {
  "capture.link-type": define(
    409,
    (f: Facts<"link_type" | "data_link_type">) =>
      `A link of type ${f.link_type} carries DLT_EN10MB; its packets cannot be captured as ${f.data_link_type}`,
  ),
  "capture.running": define(409, (f: Facts<"detail">) => `A capture is running on this link: ${f.detail}`),
  "link.port-not-found": define(404, (f: Facts<"port" | "name">) => `Port ${f.port} for ${f.name} not found`),
  "link.port-in-use": define(409, () => "Port is already used"),
  "link.same-node": define(409, () => "Cannot connect to itself"),
  "link.type-mismatch": define(
    409,
    (f: Facts<"first" | "second">) =>
      `Connecting a ${f.first} interface to a ${f.second} interface is not allowed`,
  ),
  "link.id-taken": define(409, (f: Facts<"link_id">) => `Link ID ${f.link_id} already exists`),
} as const;

export const PORT_ERRORS = {
  "node.port-repeated": define(
    409,
    (f: Facts<"what">) => `Two entries of ports_mapping have the ${f.what}; give each port its own`,
  ),
  "node.port-moved": define(
    409,
    (f: Facts<"port" | "other">) =>
      `The change puts port ${f.other} at the place of port ${f.port}, which has a cable; remove its link first, or keep the ports before it`,
  ),
} as const;

export const NAMESPACE_ERRORS = {
  "namespace.not-found": define(404, (f: Facts<"name">) => `Namespace ${f.name} doesn't exist`),
  "namespace.no-passwords": define(
    409,
    () => "This stack does not check passwords, so it has no namespaces; deploy it with auth=basic",
  ),
} as const;

export const TOKEN_ERRORS = {
  "token.not-issued": define(
    409,
    () => "This stack does not check passwords, so it issues no tokens; sign in as before",
  ),
} as const;

export const SNAPSHOT_ERRORS = {
  "snapshot.not-found": define(
    404,
    (f: Facts<"snapshot_id">) => `Snapshot ID ${f.snapshot_id} doesn't exist`,
  ),
  "snapshot.name-taken": define(409, (f: Facts<"name">) => `The snapshot name ${f.name} already exists`),
} as const;

export const DRAWING_ERRORS = {
  "drawing.not-found": define(404, (f: Facts<"drawing_id">) => `Drawing ID ${f.drawing_id} doesn't exist`),
  "drawing.locked": define(
    409,
    (f: Facts<"drawing_id">) => `Drawing ID ${f.drawing_id} cannot be deleted because it is locked`,
  ),
} as const;

/** Errors of streamed responses. */
export const STREAM_ERRORS = {
  "events.expired": define(
    410,
    (f: Facts<"since">) =>
      `The events after ${f.since} are no longer kept; read anew, and follow without since`,
  ),
  "stream.too-long": define(
    409,
    (f: Facts<"bytes" | "limit" | "advice">) =>
      `The file has ${f.bytes} bytes, and a response has at most ${f.limit}; ${f.advice}`,
  ),
} as const;

/** Errors of what a service without a disk does not do, and of its pages. */
export const SERVER_ERRORS = {
  "server.not-local": define(403, (f: Facts<"what">) => `This service cannot ${f.what}`),
  "docs.file-not-found": define(404, (f: Facts<"file">) => `The page has no file named ${f.file}`),
} as const;

/** Errors of projects that are made from others. */
export const IMPORT_ERRORS = {
  "project.path-refused": define(403, () => "The path is not allowed"),
  "project.import-refused": define(409, (f: Facts<"detail">) => `Cannot import project, ${f.detail}`),
} as const;
