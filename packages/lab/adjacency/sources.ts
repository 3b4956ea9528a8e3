/** Where the configuration of a node's routing daemon is. */
import type { NodeModel } from "../model/lab-model.ts";
import { readBirdConfig } from "./bird-config.ts";
import { BIRD_FILE, FRR_FILE } from "./daemon.ts";
import { readFrrConfig } from "./frr-config.ts";
import type { Daemon } from "./questions.ts";
import type { RouterConfig } from "./router-config.ts";

export interface Source {
  readonly node: string;
  readonly daemon: Daemon;
  /** Undefined if the configuration has to be asked for: commands and scripts have changed what the file says. */
  readonly config: RouterConfig | undefined;
}

/** Other files that FRR's daemons or a script read. */
const FRR_ELSEWHERE = /^\/?etc\/(frr\/(?!vtysh\.conf$|frr\.conf$)\S+\.conf$|config\/)/;
const FRR_COMMAND = /\bvtysh\b|\/etc\/frr\b|\/etc\/config\//;
const BIRD_COMMAND = /\bbirdc?l?\b|\/etc\/bird\b/;
/** Commands that print. */
const PRINTS = /^(vtysh -c (["']?)show [^"']*\2|birdc? show [\w ]*)$/;

/** @returns undefined for a node that routes with no daemon which can be asked. */
export function sourceOf({ name: node, spec }: NodeModel): Source | undefined {
  if (spec.type !== "linux") return undefined;
  const files = Object.entries(spec.files);
  const programs = [...(spec.main ? [spec.main] : []), ...(spec.steps ?? [])].map(({ run }) => run.join(" "));
  const all = [...spec.commands, ...programs];
  const commands = all.filter((command) => !PRINTS.test(command.trim()));
  const [frr] = files.filter(([path]) => FRR_FILE.test(path));
  const isElsewhere =
    files.some(([path]) => FRR_ELSEWHERE.test(path)) || commands.some((command) => FRR_COMMAND.test(command));
  if (spec.image === "frr" || frr !== undefined) {
    if (isElsewhere) return { node, daemon: "frr", config: undefined };
    return frr && { node, daemon: "frr", config: readFrrConfig(frr[1], absolute(frr[0])) };
  }
  const [bird] = files.filter(([path]) => BIRD_FILE.test(path));
  if (bird === undefined) return undefined;
  const beside = new Map(files.map(([path, text]) => [absolute(path), text]));
  const config = readBirdConfig(bird[1], absolute(bird[0]), beside);
  const [command] = commands.filter((each) => BIRD_COMMAND.test(each));
  if (command === undefined) return { node, daemon: "bird", config };
  const at = { file: "commands", line: all.indexOf(command) + 1, text: command };
  const why = "what BIRD does then is not in its file; none of its neighbours are checked";
  return { node, daemon: "bird", config: { ospf: [], isis: [], bgp: [], unread: [{ at, why }] } };
}

/** Whether several nodes have a configuration, and so may be neighbours. */
export const hasRouters = (nodes: readonly NodeModel[]): boolean =>
  nodes.filter((node) => sourceOf(node) !== undefined).length > 1;

const absolute = (path: string): string => (path.startsWith("/") ? path : `/${path}`);
