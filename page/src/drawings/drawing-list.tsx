/** All drawings of the lab, also the locked ones, which the pointer does not reach. */
import type { Lab } from "../lab/lab.ts";
import { KIND_NAMES, shapeOf } from "./shape.ts";

export const DrawingList = ({ lab }: { readonly lab: Lab }) => {
  const drawings = [...lab.drawings.value.values()];
  if (drawings.length === 0) return null;
  return (
    <>
      <h2>
        Drawings <span class="count">{drawings.length}</span>
      </h2>
      <ul class="parts">
        {drawings.map((drawing) => {
          const { kind, text } = shapeOf(drawing);
          return (
            <li key={drawing.drawing_id} class={lab.selection.value.has(drawing.drawing_id) ? "chosen" : ""}>
              <button
                type="button"
                class="quiet part"
                onClick={() => {
                  lab.selection.value = new Set([drawing.drawing_id]);
                }}
              >
                {text.trim() || KIND_NAMES[kind]}
                {drawing.locked && <span class="marks"> locked</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
};
