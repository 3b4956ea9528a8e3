/** `-c tracing=true`: X-Ray traces requests from the gateway through the functions. It is charged by the trace, so it is off by default. */
import type { Node } from "constructs";
import { contextFlag } from "./context-flag.ts";

export const isTraced = (node: Node): boolean => contextFlag(node, "tracing");
