/** The marks of links, above the canvas: a picture of the canvas has no names for screen readers, and these have. */
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { linkName } from "../lab/link-name.ts";
import { MarkIcon } from "../link/mark-icon.tsx";
import { viewport } from "../viewport/tools.ts";
import { markedLinks } from "./mark-places.ts";

/** Marks of a lab that is shown small are not as small as it. */
const LEAST_SCALE = 0.85;

export const MarkLayer = ({ lab }: { readonly lab: Lab }) => {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      viewport.subscribe((shown) => {
        if (layer.current === null || shown === null) return;
        const { zoom, pan } = shown;
        layer.current.style.transform = `translate(${pan.x}px, ${pan.y}px) scale(${zoom})`;
        layer.current.style.setProperty("--mark-scale", String(Math.max(1, LEAST_SCALE / zoom)));
      }),
    [],
  );
  return (
    <div class="link-marks" ref={layer} hidden={viewport.value === null}>
      {markedLinks.value.map(({ id, x, y, marks }) => {
        const link = lab.links.value.get(id);
        if (link === undefined) return null;
        const words = marks.map((mark) => mark.words).join(", ");
        return (
          <span
            key={id}
            class="link-mark"
            role="img"
            aria-label={`${linkName(link, lab.nodes.value)}: ${words}`}
            style={{ left: `${x}px`, top: `${y}px` }}
          >
            {marks.map(({ kind }) => (
              <MarkIcon key={kind} kind={kind} />
            ))}
          </span>
        );
      })}
    </div>
  );
};
