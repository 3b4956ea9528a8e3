/** The tabs below the canvas. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { report } from "../ui/notices.tsx";
import { openView } from "./open-view.ts";
import type { DockView, ViewProps } from "./view.ts";

export const Dock = ({ lab, views }: ViewProps & { readonly views: readonly DockView[] }) => (
  <section class={openView.value === null ? "dock" : "dock open"} aria-label="Views">
    <div class="tabs">
      {views.map(({ id, title }) => (
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
    {views.map((view) => (
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
