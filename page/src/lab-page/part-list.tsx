/** All devices and links of the lab, as lists. */
import { useMemo } from "preact/hooks";
import { openConsole } from "../consoles/open-consoles.ts";
import { switchNodes } from "../edit/switch.ts";
import type { Lab } from "../lab/lab.ts";
import { linkName } from "../lab/link-name.ts";
import { MarkIcon } from "../link/mark-icon.tsx";
import { marksOf } from "../link/marks.ts";
import { attempt } from "../ui/notices.tsx";
import { view } from "../viewport/tools.ts";
import { RecentlyDeleted } from "./recently-deleted.tsx";

/** `PC2` before `PC10`. */
const BY_NUMBER = new Intl.Collator(undefined, { numeric: true });
/** More rows than this would slow the page down; the canvas shows all. */
const MOST_ROWS = 300;

export const PartList = ({ lab }: { readonly lab: Lab }) => {
  const all = lab.nodes.value;
  const nodes = useMemo(() => [...all.values()].toSorted((a, b) => BY_NUMBER.compare(a.name, b.name)), [all]);
  const links = [...lab.links.value.values()];
  const choose = (id: string) => {
    lab.selection.value = new Set([id]);
    view.value?.show(id);
  };
  return (
    <>
      <h2>
        Devices <span class="count">{nodes.length}</span>
      </h2>
      <ul class="parts">
        {nodes.slice(0, MOST_ROWS).map(({ node_id, name, status }) => (
          <li key={node_id} class={lab.selection.value.has(node_id) ? "chosen" : ""}>
            <span class={`status ${status}`} aria-hidden="true" />
            <button
              type="button"
              class="quiet part one-line"
              title={name}
              onClick={() => choose(node_id)}
              onDblClick={() => openConsole(node_id)}
            >
              {name} <span class="hidden">, {status}</span>
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={status === "started" ? `Stop ${name}` : `Start ${name}`}
              onClick={() => attempt(() => switchNodes(lab, [all.get(node_id)!]))}
            >
              {status === "started" ? "■" : "▶"}
            </button>
          </li>
        ))}
      </ul>
      {nodes.length > MOST_ROWS && <p class="faint">{nodes.length - MOST_ROWS} more are on the canvas.</p>}
      <h2>
        Links <span class="count">{links.length}</span>
      </h2>
      <ul class="parts">
        {links.slice(0, MOST_ROWS).map((link) => (
          <li key={link.link_id} class={lab.selection.value.has(link.link_id) ? "chosen" : ""}>
            <button type="button" class="quiet part" onClick={() => choose(link.link_id)}>
              {linkName(link, lab.nodes.value)}
              {marksOf(
                link,
                lab.impairments.value.get(link.link_id),
                lab.traffic.value.get(link.link_id)?.recent,
              ).map(({ kind, words }) => (
                <span key={kind} class="marks">
                  <span class="hidden">, </span>
                  <MarkIcon kind={kind} /> {words}
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
      <RecentlyDeleted lab={lab} />
    </>
  );
};
