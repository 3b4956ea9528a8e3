/** Gives the parts of a lab's copy other ids, so that it can stand beside its original. */
import type { LabCopy } from "./lab-copy.ts";

/** @param makeId returns the new id of a part by its old one; each time the same. */
export function withNewIds(copy: LabCopy, makeId: (id: string) => string): LabCopy {
  return {
    ...copy,
    nodes: copy.nodes.map((node) => ({ ...node, node_id: makeId(node.node_id) })),
    links: copy.links.map((link) => ({
      ...link,
      link_id: makeId(link.link_id),
      document: {
        ...link.document,
        nodes: link.document.nodes.map((end) => ({ ...end, node_id: makeId(end.node_id) })),
      },
    })),
    drawings: copy.drawings.map((drawing) => ({ ...drawing, drawing_id: makeId(drawing.drawing_id) })),
  };
}
