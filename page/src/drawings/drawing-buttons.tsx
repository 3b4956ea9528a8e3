/** Adds texts, shapes and lines in the middle of what is shown. */
import { addDrawing } from "../edit/drawings.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { view } from "../viewport/tools.ts";
import { KIND_NAMES, newShape, type ShapeKind } from "./shape.ts";

const SIGNS: Readonly<Record<ShapeKind, string>> = { text: "T", rect: "▭", ellipse: "◯", line: "╱" };

/** Each new drawing beside the last one. */
const STEP = 24;
const STEPS = 6;

export const DrawingButtons = ({ lab }: { readonly lab: Lab }) => (
  <fieldset class="draw">
    <legend>Draw</legend>
    {(Object.keys(SIGNS) as ShapeKind[]).map((kind) => (
      <button
        key={kind}
        type="button"
        class="quiet"
        title={`Add: ${KIND_NAMES[kind]}`}
        aria-label={KIND_NAMES[kind]}
        onClick={() => {
          const { x, y } = view.value?.middle() ?? { x: 0, y: 0 };
          const step = STEP * (lab.drawings.value.size % STEPS);
          attempt(() => addDrawing(lab, newShape(kind), { x: x - 100 + step, y: y - 50 + step }));
        }}
      >
        <span aria-hidden="true">{SIGNS[kind]}</span>
      </button>
    ))}
  </fieldset>
);
