/** The consoles of nodes, in tabs. */
import type { ViewProps } from "../dock/views.ts";
import { closeConsole, consoleIds, shownConsole } from "./open-consoles.ts";
import { Terminal } from "./terminal.tsx";

export const Consoles = ({ lab }: ViewProps) => {
  const ids = consoleIds.value.filter((id) => lab.nodes.value.has(id));
  if (ids.length === 0)
    return <p class="empty">No console is open. Double-click a device, or select it and press Enter.</p>;
  return (
    <div class="consoles">
      <div class="console-tabs">
        {ids.map((id) => (
          <span key={id} class={id === shownConsole.value ? "console-tab shown" : "console-tab"}>
            <button
              type="button"
              class="quiet"
              aria-pressed={id === shownConsole.value}
              onClick={() => {
                shownConsole.value = id;
              }}
            >
              {lab.nodes.value.get(id)?.name}
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={`Close the console of ${lab.nodes.value.get(id)?.name}`}
              onClick={() => closeConsole(id)}
            >
              ×
            </button>
          </span>
        ))}
      </div>
      {ids.map((id) => (
        <Terminal key={id} lab={lab} nodeId={id} isShown={id === shownConsole.value} />
      ))}
    </div>
  );
};
