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

/** Whether a device has a console to type at. */
export const isTyped = ({ console_type }: { readonly console_type: string | null }): boolean =>
  console_type !== null && console_type !== "none";
