/** The settings of one device. */
import type { Node } from "../api/types.ts";
import { isTyped, openConsole } from "../consoles/open-consoles.ts";
import { changeParts } from "../edit/change.ts";
import { removeSelected } from "../edit/remove.ts";
import { switchNodes } from "../edit/switch.ts";
import type { Lab } from "../lab/lab.ts";
import { kindOfNode } from "../lab/node-kind.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { LineField } from "../ui/fields.tsx";
import { attempt } from "../ui/notices.tsx";
import { Appearance } from "./appearance.tsx";
import { ConnectForm } from "./connect-form.tsx";

interface NodePanelProps {
  readonly lab: Lab;
  readonly node: Node;
}

export const NodePanel = ({ lab, node }: NodePanelProps) => {
  const { node_id: id, name, status } = node;
  const kind = node.compute_id === "local" ? kindOfNode(node) : undefined;
  const rename = async (value: string) => {
    if (value === "" || value === name) return;
    return changeParts(lab, [{ kind: "node", id, path: ["name"], value }], "rename a device");
  };
  return (
    <section class="panel" aria-label={`Device ${name}`}>
      <LineField key={id} label="Name" value={name} onChange={rename} />
      <p class="facts">
        <span class={`status ${status}`} aria-hidden="true" /> {status} ·{" "}
        {kind?.word ?? node.node_type.replaceAll("_", " ")}
      </p>
      <p class="buttons">
        <button type="button" onClick={() => attempt(() => switchNodes(lab, [node]))}>
          {status === "started" ? "Stop" : "Start"}
        </button>
        {isTyped(node) && (
          <button type="button" onClick={() => openConsole(id)}>
            Console
          </button>
        )}
        <button type="button" class="danger" onClick={() => attempt(() => removeSelected(lab))}>
          Delete
        </button>
      </p>
      {node.ports.length > 0 && <ConnectForm lab={lab} node={node} />}
      {kind && <SettingsForm lab={lab} node={node} kind={kind} />}
      <Appearance lab={lab} node={node} />
    </section>
  );
};
