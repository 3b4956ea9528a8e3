/** The bar above the canvas. */
import { layOut } from "../edit/arrange.ts";
import { progress } from "../edit/power.ts";
import { switchAll } from "../edit/switch.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { openDialog } from "../ui/open-dialog.ts";
import { ThemeSwitch } from "../ui/theme.tsx";
import { isConnecting, view } from "../viewport/tools.ts";
import { PowerProgress } from "./power-progress.tsx";

export const LabBar = ({ lab }: { readonly lab: Lab }) => {
  const { lastDone, lastUndone, undo, redo } = lab.history;
  return (
    <header class="bar">
      <a href="#/" class="back" aria-label="All labs">
        ‹ Labs
      </a>
      <strong class="name">{lab.project.value.name}</strong>
      <span class="group">
        <button
          type="button"
          disabled={progress.value !== null}
          onClick={() => attempt(() => switchAll(lab, "start"))}
        >
          <span aria-hidden="true">▶</span> Start all
        </button>
        <button
          type="button"
          disabled={progress.value !== null}
          onClick={() => attempt(() => switchAll(lab, "stop"))}
        >
          <span aria-hidden="true">■</span> Stop all
        </button>
      </span>
      <PowerProgress />
      <span class="group">
        <button
          type="button"
          aria-pressed={isConnecting.value}
          title="Draw a cable from device to device (C)"
          onClick={() => {
            isConnecting.value = !isConnecting.value;
          }}
        >
          Cable
        </button>
        <button
          type="button"
          title="Arrange the devices in layers (L)"
          onClick={() => attempt(() => layOut(lab).then(() => view.value?.showAll()))}
        >
          Arrange
        </button>
      </span>
      <span class="group">
        <button
          type="button"
          disabled={!lastDone.value}
          title={`Undo ${lastDone.value?.name ?? ""} (Ctrl+Z)`}
          onClick={() => attempt(undo)}
        >
          Undo
        </button>
        <button
          type="button"
          disabled={!lastUndone.value}
          title={`Redo ${lastUndone.value?.name ?? ""} (Ctrl+Y)`}
          onClick={() => attempt(redo)}
        >
          Redo
        </button>
      </span>
      <span class="group">
        <button
          type="button"
          title="Zoom in (+)"
          aria-label="Zoom in"
          onClick={() => view.value?.zoomBy(1.25)}
        >
          +
        </button>
        <button
          type="button"
          title="Zoom out (-)"
          aria-label="Zoom out"
          onClick={() => view.value?.zoomBy(0.8)}
        >
          −
        </button>
        <button type="button" title="Show the whole lab (0)" onClick={() => view.value?.showAll()}>
          Fit
        </button>
      </span>
      <span class="group">
        <button type="button" title="Search, and all commands (Ctrl-K)" onClick={() => openDialog("palette")}>
          Search
        </button>
        <button type="button" title="Keys (?)" aria-label="Keys" onClick={() => openDialog("keys")}>
          ?
        </button>
      </span>
      <span class="space" />
      {!lab.isConnected.value && (
        <span class="offline" role="status">
          Not connected; trying again…
        </span>
      )}
      <span class="group">
        <button type="button" onClick={() => openDialog("snapshots")}>
          Snapshots
        </button>
        <button type="button" onClick={() => openDialog("share")}>
          Share
        </button>
      </span>
      <ThemeSwitch />
    </header>
  );
};
