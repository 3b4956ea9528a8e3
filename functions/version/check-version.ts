import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { interfaceVersion } from "../shared/edge/version.ts";
import type { group } from "./routes.ts";

/** Compares exactly, as the interface does: 2.2.60.1 is another version than 2.2.60. */
export const checkVersion: Operation<typeof group.routes.checkVersion> = async ({ body }) => {
  const version = interfaceVersion();
  if (body.version !== version) throw failure("version.mismatch", { client: body.version, version });
  return { status: 200, body: { version } };
};
