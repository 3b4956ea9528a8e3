/** The built-in compute, which is this service. */
import { RUNNABLE_TYPES } from "../schemas/node.ts";
import { interfaceVersion } from "./version.ts";

export const LOCAL_COMPUTE = { id: "local", name: "Wirelab" } as const;

export const localCapabilities = () => ({
  node_types: [...RUNNABLE_TYPES],
  platform: "linux",
  version: interfaceVersion(),
});
