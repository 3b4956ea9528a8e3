/** Which routing daemon a node has. */
import type { NodeModel } from "../model/lab-model.ts";
import type { Daemon } from "./questions.ts";

export const FRR_FILE = /^\/?etc\/frr\/frr\.conf$/;
export const BIRD_FILE = /^\/?etc\/bird(\/bird)?\.conf$/;

/** @returns undefined for a node that routes with no daemon which can be asked. */
export function daemonOf({ spec }: Pick<NodeModel, "spec">): Daemon | undefined {
  if (spec.type !== "linux") return undefined;
  const paths = Object.keys(spec.files);
  if (spec.image === "frr" || paths.some((path) => FRR_FILE.test(path))) return "frr";
  return paths.some((path) => BIRD_FILE.test(path)) ? "bird" : undefined;
}
