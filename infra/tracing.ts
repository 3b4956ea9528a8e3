/** `-c tracing=true`: X-Ray follows requests from the gateway through the functions. It costs by the trace, so it is off. */
import type { Node } from "constructs";
import { contextFlag } from "./context-flag.ts";

export const isTraced = (node: Node): boolean => contextFlag(node, "tracing");
