/** Pictures of symbols. They are read with the caller's credentials, so an address of the API would not do for an image. */
import { send } from "../api/call.ts";

/** Symbol id -> a `blob:` URL. */
const pictures = new Map<string, Promise<string>>();

/** @returns an empty string if there is no such symbol. */
export function pictureOf(symbolId: string): Promise<string> {
  const picture =
    pictures.get(symbolId) ??
    send("GET", `/symbols/${encodeURIComponent(symbolId)}/raw`)
      .then(async (response) => URL.createObjectURL(await response.blob()))
      .catch(() => "");
  pictures.set(symbolId, picture);
  return picture;
}
