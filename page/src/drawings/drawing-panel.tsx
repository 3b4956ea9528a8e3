/** The settings of one drawing. */
import type { Drawing } from "../api/types.ts";
import { changeDrawings } from "../edit/drawings.ts";
import { removeSelected } from "../edit/remove.ts";
import type { Lab } from "../lab/lab.ts";
import { ColourField, NumberField, TextField } from "../ui/fields.tsx";
import { attempt } from "../ui/notices.tsx";
import { changeShape, KIND_NAMES, type ShapeChange, shapeOf } from "./shape.ts";

interface DrawingPanelProps {
  readonly lab: Lab;
  readonly drawing: Drawing;
}

export const DrawingPanel = ({ lab, drawing }: DrawingPanelProps) => {
  const shape = shapeOf(drawing);
  const name = KIND_NAMES[shape.kind];
  const what = name.toLowerCase();
  const set = (settings: Partial<Drawing>, change = `change a ${what}`) =>
    attempt(() => changeDrawings(lab, new Map([[drawing.drawing_id, settings]]), change));
  /** Another change may have been made since this was drawn. */
  const reshape = (change: ShapeChange) => {
    const { svg } = lab.drawings.peek().get(drawing.drawing_id) ?? drawing;
    set({ svg: changeShape(svg, change) });
  };
  const isText = shape.kind === "text";
  const isLine = shape.kind === "line";
  const isOther = shape.kind === "other";
  const least = isLine ? {} : { min: 1 };
  return (
    <section class="panel drawing-panel" aria-label={name}>
      <h2>{name}</h2>
      {isText && <TextField label="Text" value={shape.text} onChange={(text) => reshape({ text })} />}
      <div class="pairs">
        {!isLine && !isOther && (
          <ColourField
            label={isText ? "Colour" : "Fill"}
            value={shape.fill}
            onChange={(fill) => reshape({ fill })}
          />
        )}
        {!isText && !isOther && (
          <ColourField
            label={isLine ? "Colour" : "Outline"}
            value={shape.stroke}
            onChange={(stroke) => reshape({ stroke })}
          />
        )}
        {isText && (
          <NumberField
            label="Font size"
            min={4}
            max={200}
            value={shape.fontSize}
            onChange={(fontSize) => reshape({ fontSize })}
          />
        )}
        {!isText && !isOther && (
          <>
            <NumberField
              label="Width"
              {...least}
              value={shape.width}
              onChange={(width) => reshape({ width })}
            />
            <NumberField
              label="Height"
              {...least}
              value={shape.height}
              onChange={(height) => reshape({ height })}
            />
          </>
        )}
        <NumberField
          label="Rotation"
          min={-359}
          max={360}
          value={drawing.rotation}
          onChange={(rotation) => set({ rotation })}
        />
        <NumberField label="Layer" value={drawing.z} onChange={(z) => set({ z })} />
      </div>
      <p class="buttons">
        <button
          type="button"
          aria-pressed={drawing.locked}
          onClick={() => set({ locked: !drawing.locked }, `${drawing.locked ? "unlock" : "lock"} a ${what}`)}
        >
          Locked
        </button>
        <button type="button" class="danger" onClick={() => attempt(() => removeSelected(lab))}>
          Delete
        </button>
      </p>
    </section>
  );
};
