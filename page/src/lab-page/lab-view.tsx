/** One lab: the bar above, the canvas with its list beside it, and the views in the dock below. */
import { Dock } from "../dock/dock.tsx";
import type { Lab } from "../lab/lab.ts";
import { Canvas } from "../topology/canvas.tsx";
import { Dialogs } from "./dialogs.tsx";
import { LabBar } from "./lab-bar.tsx";
import { Palette } from "./palette.tsx";
import { SidePanel } from "./side-panel.tsx";
import { useKeys } from "./use-keys.ts";
import { VIEWS } from "./views.ts";

export const LabView = ({ lab }: { readonly lab: Lab }) => {
  useKeys(lab);
  if (lab.isDeleted.value)
    return (
      <main class="message">
        <h1>This lab was deleted</h1>
        <a class="button" href="#/">
          All labs
        </a>
      </main>
    );
  return (
    <main class="lab">
      <h1 class="hidden">{lab.project.value.name}</h1>
      <LabBar lab={lab} />
      <div class="work">
        <Palette lab={lab} />
        <Canvas lab={lab} />
        <SidePanel lab={lab} />
      </div>
      <Dock lab={lab} views={VIEWS} />
      <Dialogs lab={lab} />
    </main>
  );
};
