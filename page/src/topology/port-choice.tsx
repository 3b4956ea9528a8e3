/** Asks for the ports of a cable that was drawn between devices with several free ones. Enter takes the first of each. */
import { useEffect, useRef } from "preact/hooks";
import { connect, freePorts } from "../edit/connect.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { PortSelect, readPort } from "../ui/port-select.tsx";
import { newCable } from "../viewport/tools.ts";

const close = () => {
  newCable.value = null;
};

export const PortChoice = ({ lab }: { readonly lab: Lab }) => {
  const cable = newCable.value;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [cable]);
  useEffect(() => close, []);
  const nodes = cable?.ends.map((id) => lab.nodes.value.get(id));
  const [a, b] = nodes ?? [];
  if (cable === null || a === undefined || b === undefined) return null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    close();
    attempt(() => connect(lab, a.node_id, b.node_id, [readPort(form.get("a")), readPort(form.get("b"))]));
  };
  return (
    <div
      class="port-choice"
      role="dialog"
      aria-label={`Ports of the cable between ${a.name} and ${b.name}`}
      style={{ left: `${cable.x}px`, top: `${cable.y}px` }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget as Node)) close();
      }}
    >
      <form onSubmit={submit}>
        <PortSelect name="a" label={a.name} ports={freePorts(lab, a)} />
        <PortSelect name="b" label={b.name} ports={freePorts(lab, b)} />
        <p class="buttons">
          <button type="submit" class="primary" ref={button}>
            Connect
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </p>
      </form>
    </div>
  );
};
