/** The canvas with the topology. */
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { report } from "../ui/notices.tsx";
import { isConnecting } from "./tools.ts";

export const Canvas = ({ lab }: { readonly lab: Lab }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    import("./graph.ts").then(({ showGraph }) => {
      if (!isGone) stop = showGraph(place.current!, lab);
    }, report);
    return () => {
      isGone = true;
      stop?.();
    };
  }, []);
  const isEmpty = lab.nodes.value.size === 0;
  return (
    <section class={isConnecting.value ? "canvas connecting" : "canvas"} aria-label="Topology">
      <div class="graph" ref={place} />
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
