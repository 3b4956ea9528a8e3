/** `-c tracing=true`: X-Ray traces requests through the gateway and the functions. AWS charges for each trace, so it is off by default. */
import type { Node } from "constructs";
import { readFlag } from "./settings.ts";

export const isTraced = (node: Node): boolean => readFlag(node, "tracing");
