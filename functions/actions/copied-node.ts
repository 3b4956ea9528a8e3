/** The item of a node's copy, with the settings of the original and without its links. */
import { nowUs } from "../shared/store/base/table.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";

export type Own = Pick<NodeItem, "project_id" | "node_id" | "name" | "index">;

/** The place of the copy on the canvas. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z?: number | undefined;
}

export const copiedNode = (
  { document }: NodeItem,
  own: Own,
  console: number | null,
  status: NodeItem["status"],
  { x, y, z = 0 }: Place,
): NodeItem => ({
  ...own,
  status,
  links: {},
  wiring: 0,
  revision: 1,
  created_us: nowUs(),
  document: {
    ...document,
    console,
    label: { ...document.label, text: own.name },
    locked: false,
    x,
    y,
    z,
  },
});
