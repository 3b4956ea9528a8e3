/** The consoles of nodes, in tabs and side by side. */
import type { ViewProps } from "../dock/view.ts";
import { close, show, toggleBeside } from "./arrange.ts";
import "./consoles.css";
import { consoles } from "./open-consoles.ts";
import { Terminal } from "./terminal.tsx";

export const Consoles = ({ lab }: ViewProps) => {
  const { open, shown, active } = consoles.value;
  const ids = open.filter((id) => lab.nodes.value.has(id));
  if (ids.length === 0)
    return <p class="empty">No console is open. Double-click a device, or select it and press Enter.</p>;
  const placeOf = (id: string) => shown.indexOf(id);
  return (
    <div class="consoles">
      <div class="console-tabs">
        {ids.map((id) => (
          <Tab
            key={id}
            id={id}
            name={lab.nodes.value.get(id)!.name}
            isShown={shown.includes(id)}
            isAlone={shown.length === 1}
          />
        ))}
      </div>
      <div class="console-places">
        {ids.map((id) => (
          <section
            key={id}
            aria-label={`Console of ${lab.nodes.value.get(id)!.name}`}
            class={id === active ? "console-place active" : "console-place"}
            hidden={!shown.includes(id)}
            style={{ order: placeOf(id) }}
            onFocusCapture={() => {
              consoles.value = show(consoles.value, id);
            }}
          >
            <Terminal lab={lab} nodeId={id} isShown={shown.includes(id)} isActive={id === active} />
          </section>
        ))}
      </div>
    </div>
  );
};

interface TabProps {
  readonly id: string;
  readonly name: string;
  readonly isShown: boolean;
  /** No other console is shown. */
  readonly isAlone: boolean;
}

const Tab = ({ id, name, isShown, isAlone }: TabProps) => (
  <span class={isShown ? "console-tab shown" : "console-tab"}>
    <button
      type="button"
      class="quiet"
      aria-pressed={isShown}
      onClick={() => {
        consoles.value = show(consoles.value, id);
      }}
    >
      {name}
    </button>
    <button
      type="button"
      class="quiet"
      aria-label={isShown ? `Hide the console of ${name}` : `Show the console of ${name} beside the others`}
      title={isShown ? "Hide" : "Show beside"}
      disabled={isShown && isAlone}
      onClick={() => {
        consoles.value = toggleBeside(consoles.value, id);
      }}
    >
      {isShown ? "–" : "⫿"}
    </button>
    <button
      type="button"
      class="quiet"
      aria-label={`Close the console of ${name}`}
      onClick={() => {
        consoles.value = close(consoles.value, id);
      }}
    >
      ×
    </button>
  </span>
);
