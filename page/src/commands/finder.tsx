/** The palette of commands, and the search: one list that a text narrows, with the keys of a list of options. */
import { useMemo, useState } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { Modal } from "../ui/modal.tsx";
import { closeDialog } from "../ui/open-dialog.ts";
import { view } from "../viewport/tools.ts";
import { commandItems, deviceItems, find, type Item, linkItems } from "./finder-items.ts";
import { canRun, runCommand } from "./run-command.ts";
import type { CommandId } from "./table.ts";

interface FinderProps {
  readonly lab: Lab;
  /** What is listed before a text is typed, and first among what fits as well. */
  readonly first: "commands" | "parts";
}

/** More are of no use: another letter narrows them. */
const MOST = 50;
const LIST = "finder-list";
const optionId = (index: number): string => `${LIST}-${index}`;

function take(lab: Lab, { kind, id }: Item): void {
  closeDialog();
  if (kind === "command") {
    // The focus is where it was before the palette, which some commands look at.
    queueMicrotask(() => runCommand(lab, id as CommandId));
    return;
  }
  lab.selection.value = new Set([id]);
  view.value?.show(id);
}

export const Finder = ({ lab, first }: FinderProps) => {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [nodes, links] = [lab.nodes.value, lab.links.value];
  const items = useMemo(() => {
    const parts = [...deviceItems(nodes.values()), ...linkItems(links.values(), nodes)];
    const commands = commandItems((id) => canRun(lab, id));
    return first === "commands" ? [...commands, ...parts] : [...parts, ...commands];
  }, [nodes, links]);
  const found = useMemo(() => find(items, text).slice(0, MOST), [items, text]);
  const at = Math.min(chosen, found.length - 1);
  const go = (to: number) => {
    setChosen((to + found.length) % Math.max(1, found.length));
    document.getElementById(optionId(to))?.scrollIntoView({ block: "nearest" });
  };
  const press = (event: KeyboardEvent) => {
    const item = found[at];
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (event.key === "Enter" && item !== undefined) take(lab, item);
    else return;
    event.preventDefault();
  };
  const label =
    first === "commands" ? "Commands, devices and links" : "Devices, addresses, links and commands";
  return (
    <Modal
      label={first === "commands" ? "All commands" : "Search"}
      class="finder-dialog"
      onClose={closeDialog}
    >
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={true}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? optionId(at) : undefined}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div id={LIST} class="found" role="listbox" aria-label="Found">
        {found.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field, as in a combobox.
          <div
            key={`${item.kind} ${item.id}`}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => take(lab, item)}
          >
            <span class="faint">{item.kind}</span>
            <span class="one-line">{item.name}</span>
            <span class="faint one-line">{item.note}</span>
          </div>
        ))}
      </div>
      <p class="faint" role="status">
        {found.length === 0 ? `Nothing has “${text}” in its name or addresses.` : ""}
      </p>
    </Modal>
  );
};
