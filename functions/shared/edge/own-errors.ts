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
