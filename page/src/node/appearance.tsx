/** How a device looks on the map, and what its console is for clients. */
import { useEffect, useState } from "preact/hooks";
import { call } from "../api/call.ts";
import type { Node, ServiceSymbol } from "../api/types.ts";
import { changeParts } from "../edit/change.ts";
import type { Lab } from "../lab/lab.ts";
import { NumberField } from "../ui/fields.tsx";
import { attempt, report } from "../ui/notices.tsx";

interface AppearanceProps {
  readonly lab: Lab;
  readonly node: Node;
}

const CONSOLES = [
  "telnet",
  "vnc",
  "http",
  "https",
  "spice",
  "spice+agent",
  "none",
] as const satisfies readonly Node["console_type"][];

export const Appearance = (props: AppearanceProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="appearance" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Appearance and console</summary>
      {isOpen && <AppearanceFields {...props} />}
    </details>
  );
};

const AppearanceFields = ({ lab, node }: AppearanceProps) => {
  const { node_id: id, symbol, console_type, label } = node;
  const [symbols, setSymbols] = useState<readonly ServiceSymbol[]>([]);
  useEffect(() => {
    call<ServiceSymbol[]>("GET", "/symbols").then(setSymbols, report);
  }, []);
  const set = (path: readonly string[], value: unknown, what: string) =>
    attempt(() =>
      changeParts(lab, [{ kind: "node", id, path, value }], `change the ${what} of a device`, true),
    );
  const known = symbols.some(({ symbol_id }) => symbol_id === symbol);
  return (
    <div class="connect">
      <label>
        Symbol
        <select value={symbol} onChange={({ currentTarget: { value } }) => set(["symbol"], value, "symbol")}>
          {!known && <option value={symbol}>{nameOf(symbol)}</option>}
          {symbols.map(({ symbol_id }) => (
            <option key={symbol_id} value={symbol_id}>
              {nameOf(symbol_id)}
            </option>
          ))}
        </select>
      </label>
      <NumberField
        label="Rotation of the label in degrees"
        min={-359}
        max={360}
        value={label.rotation ?? 0}
        onChange={(rotation) => set(["label", "rotation"], rotation, "label")}
      />
      {console_type !== null && (
        <label>
          Console type
          <select
            value={console_type}
            onChange={({ currentTarget: { value } }) => set(["console_type"], value, "console type")}
          >
            {CONSOLES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={node.console_auto_start}
          onChange={({ currentTarget: { checked } }) => set(["console_auto_start"], checked, "console")}
        />
        Clients open the console when the device starts
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={node.locked}
          onChange={({ currentTarget: { checked } }) => set(["locked"], checked, "lock")}
        />
        Locked: it is neither moved nor deleted
      </label>
    </div>
  );
};

/** `:/symbols/classic/vpcs_guest.svg` is `classic, vpcs guest`. */
const nameOf = (symbol: string): string =>
  symbol
    .replace(/^:\/symbols\//, "")
    .replace(/\.\w+$/, "")
    .replaceAll("/", ", ")
    .replaceAll("_", " ");
