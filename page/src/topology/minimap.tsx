/** The whole lab in small, with the part that the canvas shows: a click or a drag moves that. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { isDark } from "../ui/theme.tsx";
import { type Bounds, boundsOf, fitBounds, type Viewport } from "../viewport/bounds.ts";
import { extent, view } from "../viewport/tools.ts";

const SIZE = { width: 188, height: 128 };
const LIMITS = { padding: 8, leastZoom: 0, mostZoom: 0.25 };
/** Smaller labs are seen at a glance. */
const LEAST_NODES = 20;
/** The least size of a device, in pixels. */
const DOT = 3;
const KEY = "wirelab.minimap";

const isHidden = signal(localStorage.getItem(KEY) === "hidden");

function hide(isNow: boolean): void {
  isHidden.value = isNow;
  localStorage.setItem(KEY, isNow ? "hidden" : "shown");
}

export const Minimap = ({ lab }: { readonly lab: Lab }) => {
  if (lab.nodes.value.size < LEAST_NODES || view.value === null) return null;
  if (isHidden.value)
    return (
      <button type="button" class="minimap-switch" onClick={() => hide(false)}>
        Minimap
      </button>
    );
  return (
    <div class="minimap">
      <SmallMap lab={lab} />
      <button type="button" class="quiet" aria-label="Hide the minimap" onClick={() => hide(true)}>
        ×
      </button>
    </div>
  );
};

const SmallMap = ({ lab }: { readonly lab: Lab }) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const window = useRef<HTMLDivElement>(null);
  const nodes = lab.nodes.value;
  const links = lab.links.value;
  const fitted = fitBounds(boundsOf(nodes.values()), SIZE, LIMITS);
  useEffect(() => draw(canvas.current!, lab, fitted), [nodes, links, isDark.value]);
  useEffect(
    () =>
      // While the map moves, only this element does: the canvas is not drawn again.
      extent.subscribe((shown) => shown && place(window.current!, shown, fitted)),
    [nodes],
  );
  const moveTo = ({ offsetX, offsetY }: PointerEvent) =>
    view.value?.centreAt({
      x: (offsetX - fitted.pan.x) / fitted.zoom,
      y: (offsetY - fitted.pan.y) / fitted.zoom,
    });
  return (
    <>
      <canvas
        ref={canvas}
        {...SIZE}
        role="img"
        aria-label={`Minimap of ${nodes.size} devices. The cursor keys move the map when no device is selected.`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          moveTo(event);
        }}
        onPointerMove={(event) => event.buttons === 1 && moveTo(event)}
      />
      <div class="minimap-window" ref={window} />
    </>
  );
};

function place({ style }: HTMLElement, { x1, y1, x2, y2 }: Bounds, { zoom, pan }: Viewport): void {
  style.translate = `${x1 * zoom + pan.x}px ${y1 * zoom + pan.y}px`;
  style.width = `${(x2 - x1) * zoom}px`;
  style.height = `${(y2 - y1) * zoom}px`;
}

function draw(canvas: HTMLCanvasElement, lab: Lab, { zoom, pan }: Viewport): void {
  const sharpness = devicePixelRatio;
  canvas.width = SIZE.width * sharpness;
  canvas.height = SIZE.height * sharpness;
  const context = canvas.getContext("2d")!;
  const colours = getComputedStyle(canvas);
  const [line, off, on] = ["--line", "--faint", "--ok"].map((name) => colours.getPropertyValue(name));
  context.setTransform(zoom * sharpness, 0, 0, zoom * sharpness, pan.x * sharpness, pan.y * sharpness);
  const nodes = lab.nodes.peek();
  context.beginPath();
  for (const { nodes: ends } of lab.links.peek().values()) {
    const [a, b] = ends.map(({ node_id }) => nodes.get(node_id));
    if (a === undefined || b === undefined) continue;
    context.moveTo(a.x + a.width / 2, a.y + a.height / 2);
    context.lineTo(b.x + b.width / 2, b.y + b.height / 2);
  }
  context.strokeStyle = line!;
  context.lineWidth = 1 / zoom;
  context.stroke();
  for (const { x, y, width, height, status } of nodes.values()) {
    context.fillStyle = status === "started" ? on! : off!;
    const side = Math.max(DOT / zoom, Math.min(width, height));
    context.fillRect(x + (width - side) / 2, y + (height - side) / 2, side, side);
  }
}
