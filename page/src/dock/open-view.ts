/** Which view below the canvas is open. */
import { signal } from "@preact/signals";

/** The id of the open view; null while the dock is closed. */
export const openView = signal<string | null>(null);
