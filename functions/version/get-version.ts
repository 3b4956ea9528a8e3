import type { Operation } from "../shared/edge/operation.ts";
import { interfaceVersion, SERVICE_VERSION } from "../shared/edge/version.ts";
import type { group } from "./routes.ts";

/** `local` is false, because paths on the client's machine have no meaning here. */
export const getVersion: Operation<typeof group.routes.getVersion> = async () => ({
  status: 200,
  body: { local: false, version: interfaceVersion(), wirelab: SERVICE_VERSION },
});
