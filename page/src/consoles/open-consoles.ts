/** The consoles that are open. Any part of the page opens one with `openConsole`. */
import { signal } from "@preact/signals";
import { openView } from "../dock/open-view.ts";
import { NO_CONSOLES, show } from "./arrange.ts";

export const consoles = signal(NO_CONSOLES);

/** Counts the wishes to type into the active console. */
export const typingWanted = signal(0);

export function openConsole(nodeId: string): void {
  consoles.value = show(consoles.value, nodeId);
  typingWanted.value += 1;
  openView.value = "consoles";
}
