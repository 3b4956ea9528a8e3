/** The drawings of a lab, below its devices. */
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Drawing } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { viewport } from "../viewport/tools.ts";
import { pictureOfDrawing, shapeOf } from "./shape.ts";

/** How far the selected drawings are being dragged. */
export const dragged = signal({ x: 0, y: 0 });

export const DrawingLayer = ({ lab }: { readonly lab: Lab }) => {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      viewport.subscribe((shown) => {
        if (layer.current === null || shown === null) return;
        layer.current.style.transform = `translate(${shown.pan.x}px, ${shown.pan.y}px) scale(${shown.zoom})`;
      }),
    [],
  );
  const drawings = [...lab.drawings.value.values()].toSorted((a, b) => a.z - b.z);
  return (
    <div class="drawings" ref={layer} aria-hidden="true" hidden={viewport.value === null}>
      {drawings.map((drawing) => (
        <Shown
          key={drawing.drawing_id}
          drawing={drawing}
          isChosen={lab.selection.value.has(drawing.drawing_id)}
        />
      ))}
    </div>
  );
};

const Shown = ({ drawing, isChosen }: { readonly drawing: Drawing; readonly isChosen: boolean }) => {
  const picture = useMemo(() => pictureOfDrawing(drawing), [drawing.svg]);
  if (picture === null) return null;
  const { width, height } = shapeOf(drawing);
  const by = isChosen && !drawing.locked ? dragged.value : { x: 0, y: 0 };
  return (
    <img
      class={isChosen ? "chosen" : ""}
      src={picture.url}
      alt=""
      draggable={false}
      width={picture.width}
      height={picture.height}
      style={{
        transform:
          `translate(${drawing.x + by.x}px, ${drawing.y + by.y}px) rotate(${drawing.rotation}deg) ` +
          `translate(${Math.min(0, width) - picture.inset}px, ${Math.min(0, height) - picture.inset}px)`,
      }}
    />
  );
};
