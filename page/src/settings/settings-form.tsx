/** The form for the settings of one device: a row for each setting of its type. */
import type { Kind } from "@wirelab/engine/devices/kinds";
import { useEffect, useState } from "preact/hooks";
import type { Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { report } from "../ui/notices.tsx";
import { isPanelWide } from "../ui/wide-panel.ts";
import { Field } from "./field.tsx";
import { FormProvider } from "./form-context.ts";
import { Rows } from "./rows.tsx";
import { queueOf } from "./settings-queue.ts";
import type { Shapes } from "./shapes.ts";
import type { Path } from "./values.ts";
import "./settings.css";

interface SettingsFormProps {
  readonly lab: Lab;
  readonly node: Node;
  readonly kind: Kind;
}

/** The parts that are open at first. */
const OPEN = ["ports", "ports_mapping"];

export const SettingsForm = (props: SettingsFormProps) => {
  const [shapes, setShapes] = useState<Shapes | null>(null);
  const { kind } = props;
  useEffect(() => {
    import("./shapes.ts").then(({ loadShapes }) => loadShapes(kind)).then(setShapes, report);
  }, [kind]);
  if (shapes === null) return <p class="faint">Reading the settings…</p>;
  return <ShapedForm {...props} shapes={shapes} />;
};

const ShapedForm = ({ lab, node, kind, shapes }: SettingsFormProps & { readonly shapes: Shapes }) => {
  const queue = queueOf(lab, node.node_id);
  const { rows, check, warnings } = shapes;
  const shown = queue.shown(node);
  const problems = [...queue.problems(node, check), ...warnings(shown)];
  const labelOf = (key: string): string => rows.find((row) => row.key === key)?.label ?? key;
  const change = (path: Path, value: unknown): void => void queue.change(path, value, check, labelOf);
  /** The service changes no properties of a device whose console can change them, too. */
  const mustStop = kind.image !== undefined && node.status !== "stopped";
  return (
    <form class="device-settings" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <div class="heading">
        <h3>Settings</h3>
        <button
          type="button"
          aria-pressed={isPanelWide.value}
          onClick={() => {
            isPanelWide.value = !isPanelWide.value;
          }}
        >
          Wide
        </button>
      </div>
      {mustStop && <p class="about faint">Stop the device to change its settings.</p>}
      <fieldset disabled={mustStop} aria-label={`Settings of ${node.name}`}>
        <FormProvider value={{ change, problems, ports: node.ports.map(({ name }) => name), Field }}>
          <Rows rows={rows} path={[]} value={shown} open={OPEN} />
        </FormProvider>
      </fieldset>
      {queue.isHeld && (
        <p class="held" role="status">
          <span>Not stored: correct what is marked.</span>
          <button type="button" onClick={() => queue.revert()}>
            Revert
          </button>
        </p>
      )}
    </form>
  );
};
