/** The keys of the lab's view: those of commands/table.ts. */
import { useEffect } from "preact/hooks";
import { areLettersKeys } from "../commands/letters.ts";
import { canRun, runCommand } from "../commands/run-command.ts";
import { COMMANDS, type CommandRow, commandOf, keysOf } from "../commands/table.ts";
import type { Lab } from "../lab/lab.ts";

/** Elements that use keys themselves. */
const OWN_KEYS = "input, select, textarea, .terminal, [contenteditable], .dock .pane, dialog, [role=menu]";
/** A press of one character: some input methods and voices type them by accident (WCAG 2.1.4). */
const isLetter = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey;

/** Elements to which all keys belong. */
const ALL_KEYS = ".terminal, dialog";

export function useKeys(lab: Lab): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // A button that is disabled while it acts loses the focus of its dialog.
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const id = commandOf(keysOf(event));
      if (id === undefined) return;
      const target = event.target as Element;
      const { isEverywhere, group }: CommandRow = COMMANDS[id];
      if (target.closest?.(isEverywhere ? ALL_KEYS : OWN_KEYS)) return;
      if (!areLettersKeys.value && isLetter(event)) return;
      // An undo follows a change that is being made, and has nothing to do before that.
      const canAct = group === "history" || canRun(lab, id);
      if (canAct && runCommand(lab, id, { key: event.key, target })) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [lab]);
}
