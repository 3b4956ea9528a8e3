/** The built-in compute, which is this service. */
import { type NodeType, RECORD_TYPES, RUNNABLE_TYPES } from "../schemas/node.ts";
import { interfaceVersion } from "./version.ts";

export const LOCAL_COMPUTE = { id: "local", name: "Wirelab" } as const;

/** The desktop client makes nodes of these types alone. A router or server is also a docker node: schemas/router-image.ts. */
const NODE_TYPES: readonly NodeType[] = [...RUNNABLE_TYPES, "docker", ...RECORD_TYPES];

export const localCapabilities = () => ({
  node_types: [...NODE_TYPES],
  platform: "linux",
  version: interfaceVersion(),
});
