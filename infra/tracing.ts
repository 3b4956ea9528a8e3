/** `-c tracing=true`: X-Ray traces requests through the gateway and the functions. AWS charges for each trace, so it is off by default. */
import type { Node } from "constructs";
import { contextFlag } from "./context-flag.ts";

export const isTraced = (node: Node): boolean => contextFlag(node, "tracing");
