/** Pictures of symbols. They are read with the caller's credentials, so an address of the API would not do for an image. */
import { send } from "../api/call.ts";

/** Symbol id -> a `blob:` URL. */
const pictures = new Map<string, Promise<string>>();
const known = new Map<string, string>();

/** @returns an empty string if there is no such symbol. */
export function pictureOf(symbolId: string): Promise<string> {
  const picture =
    pictures.get(symbolId) ??
    send("GET", `/symbols/${encodeURIComponent(symbolId)}/raw`)
      .then(async (response) => URL.createObjectURL(await response.blob()))
      .catch(() => "")
      .then((url) => {
        if (url !== "") known.set(symbolId, url);
        return url;
      });
  pictures.set(symbolId, picture);
  return picture;
}

/** A picture that has been read; undefined before that. */
export const knownPicture = (symbolId: string): string | undefined => known.get(symbolId);
