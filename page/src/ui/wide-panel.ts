import { signal } from "@preact/signals";

/** Whether the panel beside the map covers a part of it. */
export const isPanelWide = signal(false);
