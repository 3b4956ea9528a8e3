/** Connects a port of a device to a port of another one: what dragging a cable does, by keyboard, with a choice of ports. */
import { useState } from "preact/hooks";
import type { Node } from "../api/types.ts";
import { connect, freePorts } from "../edit/connect.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { PortSelect, readPort } from "../ui/port-select.tsx";

interface ConnectFormProps {
  readonly lab: Lab;
  readonly node: Node;
}

export const ConnectForm = ({ lab, node }: ConnectFormProps) => {
  const own = freePorts(lab, node);
  const others = [...lab.nodes.value.values()].filter(
    (other) => other.node_id !== node.node_id && freePorts(lab, other).length > 0,
  );
  const [chosen, setChosen] = useState("");
  const other = others.find(({ node_id }) => node_id === chosen) ?? others[0];
  if (own.length === 0) return <p class="faint">All ports are connected.</p>;
  if (other === undefined) return <p class="faint">No other device has a free port.</p>;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    attempt(() =>
      connect(lab, node.node_id, other.node_id, [readPort(form.get("own")), readPort(form.get("other"))]),
    );
  };
  return (
    <form class="connect" onSubmit={submit}>
      <h3>Connect</h3>
      <PortSelect name="own" label="Port" ports={own} />
      <label>
        To
        <select value={other.node_id} onChange={(event) => setChosen(event.currentTarget.value)}>
          {others.map(({ node_id, name }) => (
            <option key={node_id} value={node_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <PortSelect name="other" label="Its port" ports={freePorts(lab, other)} />
      <button type="submit">Connect</button>
    </form>
  );
};
