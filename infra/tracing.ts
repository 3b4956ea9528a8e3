/** `-c tracing=true`: X-Ray follows requests from the gateway through the functions. It costs by the trace, so it is off. */
import type { Node } from "constructs";

export const isTraced = (node: Node): boolean => String(node.tryGetContext("tracing") ?? "false") === "true";
