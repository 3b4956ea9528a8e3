/** The devices that can be added: all templates of the service. */
import { KINDS, type Kind } from "@wirelab/engine/devices/kinds";
import { useEffect, useState } from "preact/hooks";
import type { Template } from "../api/types.ts";
import { DrawingButtons } from "../drawings/drawing-buttons.tsx";
import { addNode } from "../edit/add-node.ts";
import type { Lab } from "../lab/lab.ts";
import { kindOfImage } from "../lab/node-kind.ts";
import { attempt, report } from "../ui/notices.tsx";
import { Picture } from "../ui/picture.tsx";
import { view } from "../viewport/tools.ts";

/** A template of the service, unless it is of a registered compute. */
const kindOfTemplate = ({ template_type, image }: Template): Kind | undefined =>
  template_type === "docker" ? kindOfImage(image) : KINDS.find(({ type }) => type === template_type);

/** Built-in templates in the order of their types, in which a newcomer needs them; the others follow by name. */
const rank = (template: Template): number => {
  const kind = template.builtin ? kindOfTemplate(template) : undefined;
  return kind === undefined ? KINDS.length : KINDS.indexOf(kind);
};

/** A built-in template is called by its type, unless a user has given it another name. */
function titleOf(template: Template): string {
  const kind = kindOfTemplate(template);
  if (!template.builtin || kind?.template.name !== template.name) return template.name;
  const word = kind.word.replace(/ node$/, "");
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Each new device beside the last one, so that none hides another. */
const STEP = 110;

export const Palette = ({ lab }: { readonly lab: Lab }) => {
  const [templates, setTemplates] = useState<readonly Template[]>([]);
  useEffect(() => {
    lab.templates.then(
      (all) => setTemplates(all.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))),
      report,
    );
  }, []);
  return (
    <nav class="palette" aria-label="Devices to add">
      {templates.map((template) => (
        <button
          key={template.template_id}
          type="button"
          class="device"
          title={`Add: ${template.name}`}
          onClick={() => attempt(() => addNode(lab, template, freePlace(lab)))}
          onPointerDown={(event) => dragFrom(event, lab, template)}
        >
          <Picture symbol={template.symbol} />
          <span>{titleOf(template)}</span>
        </button>
      ))}
      <DrawingButtons lab={lab} />
    </nav>
  );
};

function freePlace(lab: Lab): { x: number; y: number } {
  const { x, y } = view.value?.middle() ?? { x: 0, y: 0 };
  const all = [...lab.nodes.value.values()];
  for (let ring = 0; ; ring += 1) {
    const left = x + (ring % 4) * STEP - STEP * 1.5;
    const top = y + Math.floor(ring / 4) * STEP - STEP;
    const isTaken = all.some((node) => Math.abs(node.x + 30 - left) < 70 && Math.abs(node.y + 28 - top) < 70);
    if (!isTaken) return { x: left, y: top };
  }
}

/** Dragging a device onto the canvas adds it there. A press without a move is a click. */
function dragFrom(event: PointerEvent, lab: Lab, template: Template): void {
  const button = event.currentTarget as HTMLElement;
  const start = { x: event.clientX, y: event.clientY };
  let copy: HTMLElement | undefined;
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (copy === undefined && Math.hypot(clientX - start.x, clientY - start.y) < 6) return;
    if (copy === undefined) {
      copy = button.querySelector(".picture")!.cloneNode(true) as HTMLElement;
      copy.classList.add("dragged");
      document.body.append(copy);
    }
    copy.style.translate = `${clientX - 30}px ${clientY - 30}px`;
  };
  const end = ({ clientX, clientY, type }: PointerEvent) => {
    for (const [name, listener] of listeners) removeEventListener(name, listener as EventListener);
    if (copy === undefined) return;
    copy.remove();
    button.addEventListener("click", (click) => click.stopImmediatePropagation(), {
      capture: true,
      once: true,
    });
    // A click follows only if the pointer was released over the button.
    setTimeout(() => button.dispatchEvent(new Event("click")), 0);
    const target = document.elementFromPoint(clientX, clientY);
    if (type === "pointercancel" || !target?.closest(".canvas") || !view.value) return;
    const place = view.value.positionAt(clientX, clientY);
    attempt(() => addNode(lab, template, place));
  };
  const listeners = [
    ["pointermove", move],
    ["pointerup", end],
    ["pointercancel", end],
  ] as const;
  for (const [name, listener] of listeners) addEventListener(name, listener as EventListener);
}
