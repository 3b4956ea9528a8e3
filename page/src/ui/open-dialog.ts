/** Which dialog of the lab's view is open. */
import { signal } from "@preact/signals";

export type DialogId = "search" | "palette" | "keys" | "snapshots" | "share" | "carry";

/** The open dialog; null for none. */
export const dialog = signal<DialogId | null>(null);

export function openDialog(id: DialogId): void {
  dialog.value = id;
}

export function closeDialog(): void {
  dialog.value = null;
}
