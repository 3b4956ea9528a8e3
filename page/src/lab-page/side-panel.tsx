/**
 * The list beside the canvas: everything on the canvas as text, for keyboards and screen readers, and the settings of what is selected.
 * A selection does not move the rows of the list: the second click of a double-click has to reach the same row.
 */
import { DrawingList } from "../drawings/drawing-list.tsx";
import { DrawingPanel } from "../drawings/drawing-panel.tsx";
import type { Lab } from "../lab/lab.ts";
import { LinkPanel } from "../link/link-panel.tsx";
import { NodePanel } from "../node/node-panel.tsx";
import { isPanelWide } from "../ui/wide-panel.ts";
import { BulkPanel } from "./bulk-panel.tsx";
import { PartList } from "./part-list.tsx";

export const SidePanel = ({ lab }: { readonly lab: Lab }) => {
  const [id, ...others] = lab.selection.value;
  const node = others.length === 0 && id !== undefined ? lab.nodes.value.get(id) : undefined;
  const link = others.length === 0 && id !== undefined ? lab.links.value.get(id) : undefined;
  const drawing = others.length === 0 && id !== undefined ? lab.drawings.value.get(id) : undefined;
  return (
    <aside class={isPanelWide.value && node ? "side wide" : "side"} aria-label="Devices and links">
      <div class="lists">
        <PartList lab={lab} />
        <DrawingList lab={lab} />
      </div>
      <div class="settings">
        {node && <NodePanel key={node.node_id} lab={lab} node={node} />}
        {link && <LinkPanel key={link.link_id} lab={lab} link={link} />}
        {drawing && <DrawingPanel key={drawing.drawing_id} lab={lab} drawing={drawing} />}
        {others.length > 0 && <BulkPanel lab={lab} />}
        {lab.selection.value.size === 0 && (
          <p class="faint">Select a device or a link to see its settings.</p>
        )}
      </div>
    </aside>
  );
};
