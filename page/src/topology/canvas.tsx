/** The canvas with the topology. */
import { useEffect, useRef } from "preact/hooks";
import { DrawingLayer } from "../drawings/drawing-layer.tsx";
import { addImage, isImage } from "../edit/images.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt, report } from "../ui/notices.tsx";
import { pictureOf } from "../ui/symbols.ts";
import { isConnecting, view } from "../viewport/tools.ts";
import { LinkTip } from "./link-tip.tsx";
import { MarkLayer } from "./mark-layer.tsx";
import { Minimap } from "./minimap.tsx";
import { PortChoice } from "./port-choice.tsx";

/** How far several pictures are from each other. */
const BESIDE = 24;

export const Canvas = ({ lab }: { readonly lab: Lab }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    // With the pictures at hand, the devices are styled once.
    const symbols = new Set([...lab.nodes.peek().values()].map(({ symbol }) => symbol));
    const pictures = Promise.all([...symbols].map(pictureOf));
    Promise.all([import("./graph.ts"), pictures]).then(([{ showGraph }]) => {
      if (!isGone) stop = showGraph(place.current!, lab);
    }, report);
    return () => {
      isGone = true;
      stop?.();
    };
  }, []);
  const isEmpty = lab.isWhole.value && lab.nodes.value.size === 0 && lab.drawings.value.size === 0;
  return (
    <section
      class={isConnecting.value ? "canvas connecting" : "canvas"}
      aria-label="Topology"
      onDrop={(event) => dropImages(event, lab)}
    >
      <DrawingLayer lab={lab} />
      <div class="graph" ref={place} />
      <MarkLayer lab={lab} />
      <LinkTip lab={lab} />
      <Minimap lab={lab} />
      <PortChoice lab={lab} />
      {isEmpty && (
        <p class="hint">
          This lab is empty. Drag a device from the left onto the canvas, or click it.
          <br />
          Then press <kbd>C</kbd> and draw a cable from device to device.
        </p>
      )}
    </section>
  );
};

/** Pictures become drawings where they are dropped; the page imports other files as labs. */
function dropImages(event: DragEvent, lab: Lab): void {
  const images = [...(event.dataTransfer?.files ?? [])].filter(isImage);
  const place = view.value?.positionAt(event.clientX, event.clientY);
  if (images.length === 0 || place === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  for (const [index, image] of images.entries())
    attempt(() => addImage(lab, image, { x: place.x + index * BESIDE, y: place.y + index * BESIDE }));
}
