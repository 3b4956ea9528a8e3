/** Which view the address shows: `#/` is the list of labs, `#/examples` the gallery, `#/labs/<project_id>` one lab. */
import { computed, signal } from "@preact/signals";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const openLabId = computed(() => /^#\/labs\/([0-9a-f-]{36})$/.exec(hash.value)?.[1] ?? null);

export const labAddress = (projectId: string): string => `#/labs/${projectId}`;

export const GALLERY_ADDRESS = "#/examples";

export const isGalleryOpen = computed(() => hash.value === GALLERY_ADDRESS);
