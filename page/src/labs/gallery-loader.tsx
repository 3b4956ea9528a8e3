/** Loads the gallery when it is opened: it has the text of every example. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { report } from "../ui/notices.tsx";

export const GalleryLoader = () => {
  const [Gallery, setGallery] = useState<ComponentType | null>(null);
  useEffect(() => {
    import("./gallery.tsx").then((loaded) => setGallery(() => loaded.Gallery), report);
  }, []);
  return Gallery ? <Gallery /> : <main class="message" aria-busy="true" />;
};
