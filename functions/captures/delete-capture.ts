import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { removeCaptures } from "../shared/store/lab/capture.ts";
import { findCapture } from "./read-captures.ts";
import type { group } from "./routes.ts";

export const deleteCapture: Operation<typeof group.routes.deleteCapture> = async ({ access, params }) => {
  const { capture, running } = await findCapture(access, params);
  if (running) throw failure("capture.in-progress");
  await removeCaptures([capture]);
  return { status: 204 };
};
