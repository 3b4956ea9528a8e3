/** The tabs below the canvas. */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { report } from "../ui/notices.tsx";
import { type DockView, VIEWS, type ViewProps } from "./views.ts";

/** The id of the open view; null while the dock is closed. */
export const openView = signal<string | null>(null);

export const Dock = ({ lab }: ViewProps) => (
  <section class={openView.value === null ? "dock" : "dock open"} aria-label="Views">
    <div class="tabs">
      {VIEWS.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          class="tab"
          aria-expanded={openView.value === id}
          onClick={() => {
            openView.value = openView.value === id ? null : id;
          }}
        >
          {title}
        </button>
      ))}
    </div>
    {VIEWS.map((view) => (
      <Pane key={view.id} view={view} lab={lab} isOpen={openView.value === view.id} />
    ))}
  </section>
);

/** A view stays mounted while another one is shown, so its connections and what the user typed remain. */
const Pane = ({ view, lab, isOpen }: ViewProps & { readonly view: DockView; readonly isOpen: boolean }) => {
  const [loaded, setLoaded] = useState<{ readonly View: ComponentType<ViewProps> } | null>(null);
  useEffect(() => {
    if (isOpen && loaded === null) view.load().then((View) => setLoaded({ View }), report);
  }, [isOpen]);
  return (
    <div class="pane" hidden={!isOpen}>
      {loaded && <loaded.View lab={lab} />}
    </div>
  );
};
