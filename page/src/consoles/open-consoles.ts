/** The nodes whose consoles are open. Any part of the page opens one with `openConsole`. */
import { signal } from "@preact/signals";
import { openView } from "../dock/dock.tsx";

/** Node ids in the order of the tabs. */
export const consoleIds = signal<readonly string[]>([]);
/** The id of the node whose console is shown. */
export const shownConsole = signal<string | null>(null);

/** Counts the wishes to type into the console that is shown. */
export const typingWanted = signal(0);

export function openConsole(nodeId: string): void {
  if (!consoleIds.value.includes(nodeId)) consoleIds.value = [...consoleIds.value, nodeId];
  shownConsole.value = nodeId;
  typingWanted.value += 1;
  openView.value = "consoles";
}

export function closeConsole(nodeId: string): void {
  consoleIds.value = consoleIds.value.filter((id) => id !== nodeId);
  if (shownConsole.value === nodeId) shownConsole.value = consoleIds.value.at(-1) ?? null;
}
