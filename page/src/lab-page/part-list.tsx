/** All devices and links of the lab, as lists. */
import { useMemo, useRef } from "preact/hooks";
import { isTyped, openConsole } from "../consoles/open-consoles.ts";
import { switchNodes } from "../edit/switch.ts";
import type { Lab } from "../lab/lab.ts";
import { linkName } from "../lab/link-name.ts";
import { MarkIcon } from "../link/mark-icon.tsx";
import { marksOf } from "../link/marks.ts";
import { attempt } from "../ui/notices.tsx";
import { contextMenu, view } from "../viewport/tools.ts";
import { choose } from "./choose-in-list.ts";
import { RecentlyDeleted } from "./recently-deleted.tsx";

/** `PC2` before `PC10`. */
const BY_NUMBER = new Intl.Collator(undefined, { numeric: true });
/** More rows than this would slow the page down; the canvas shows all. */
const MOST_ROWS = 300;

export const PartList = ({ lab }: { readonly lab: Lab }) => {
  const all = lab.nodes.value;
  const nodes = useMemo(() => [...all.values()].toSorted((a, b) => BY_NUMBER.compare(a.name, b.name)), [all]);
  const links = [...lab.links.value.values()];
  const last = useRef<string | undefined>(undefined);
  const rows = [
    ...nodes.slice(0, MOST_ROWS).map(({ node_id }) => node_id),
    ...links.slice(0, MOST_ROWS).map(({ link_id }) => link_id),
  ];
  const click = (event: MouseEvent, id: string) => {
    lab.selection.value = choose(lab.selection.value, id, event, last.current, rows);
    if (!event.shiftKey) last.current = id;
    view.value?.show(id);
  };
  const openMenu = (event: MouseEvent, id: string) => {
    event.preventDefault();
    if (!lab.selection.value.has(id)) lab.selection.value = new Set([id]);
    contextMenu.value = { x: event.clientX, y: event.clientY };
  };
  const rowProps = (id: string) => ({
    class: lab.selection.value.has(id) ? "chosen" : "",
    onContextMenu: (event: MouseEvent) => openMenu(event, id),
  });
  return (
    <>
      <h2>
        Devices <span class="count">{nodes.length}</span>
      </h2>
      <ul class="parts">
        {nodes.slice(0, MOST_ROWS).map(({ node_id, name, status, console_type }) => (
          <li key={node_id} {...rowProps(node_id)}>
            <span class={`status ${status}`} aria-hidden="true" />
            <button
              type="button"
              class="quiet part one-line"
              title={name}
              aria-pressed={lab.selection.value.has(node_id)}
              onClick={(event) => click(event, node_id)}
              onDblClick={() => isTyped({ console_type }) && openConsole(node_id)}
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
          <li key={link.link_id} {...rowProps(link.link_id)}>
            <button
              type="button"
              class="quiet part"
              aria-pressed={lab.selection.value.has(link.link_id)}
              onClick={(event) => click(event, link.link_id)}
            >
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
