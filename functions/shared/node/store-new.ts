/** Stores a new node under a name and numbers that no other node of the lab has. */
import type { Access } from "../edge/access.ts";
import { INDEXES } from "../store/base/number-series.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { readItems } from "../store/contents/read.ts";
import { createNode, type NodeItem } from "../store/lab/node.ts";
import { refuseOverQuota } from "../store/limits/quota.ts";
import { openedProject } from "../store/project/project.ts";
import { readWish, wantedFor } from "./name.ts";
import { Offers } from "./offers.ts";

type Own = Pick<NodeItem, "project_id" | "node_id" | "name" | "index">;

interface NewNode {
  /** The node's MAC addresses derive from a number. */
  readonly isNumbered: boolean;
  /** The requested number of the console; undefined for any, null for a node without a console. */
  readonly console: number | null | undefined;
  readonly make: (own: Own, console: number | null) => NodeItem | Promise<NodeItem>;
}

/**
 * Returns the existing node if the project has one with this id.
 * @param prepare is called after the project is known to be open.
 * @throws ApiError 400 for an invalid name; `project.not-found`, `project.not-opened`, `quota.nodes`.
 */
export function storeNew(
  access: Access,
  project_id: string,
  node_id: string,
  wishedName: string,
  prepare: () => Promise<NewNode>,
): Promise<NodeItem> {
  const wish = readWish(wishedName);
  const wanted = wantedFor(wish);
  const offers = new Offers(project_id);
  return untilFresh(async () => {
    const found = await readItems(access, project_id, {
      nodes: [node_id],
      names: wanted.names,
      series: [...wanted.series, INDEXES],
    });
    const project = openedProject(found.project, project_id);
    const existing = found.nodes.get(node_id);
    if (existing) return existing;
    const node = await prepare();
    refuseOverQuota(project, { node_count: 1 });
    const name = await offers.name(wish, found);
    const index = node.isNumbered ? await offers.index(found) : undefined;
    const own = { project_id, node_id, name: name.value, index: index?.value };
    const console = node.console === null ? null : await offers.console(node.console, index?.value);
    const fresh = await node.make(own, console);
    const outcome = await createNode(fresh, [...name.takes, ...(index?.takes ?? [])]);
    if (outcome === "created") return fresh;
    if (outcome === "console") offers.refuseConsole(console);
    else offers.refuse(outcome === "name" ? name.value : outcome === "index" ? index?.value : undefined);
    return STALE;
  });
}
