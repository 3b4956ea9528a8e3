/**
 * Images of Linux nodes in the bucket. `wirelab image push` writes them.
 *
 *     images/<name>/image.json              the facts of the image, written last
 *     images/<name>/<digest>/<file>         its files; those of an image that was replaced stay until the image is removed
 */
import { deletePrefix, listObjects, putObject, readObject } from "../base/objects.ts";

const PREFIX = "images/";
const FACTS = "image.json";

interface Identity {
  readonly name: string;
  readonly digest: string;
}

const FILES = ["bios", "vgaBios", "state"] as const;
type Files = Readonly<Record<(typeof FILES)[number], Uint8Array>>;

const fileKey = ({ name, digest }: Identity, file: string): string => `${PREFIX}${name}/${digest}/${file}`;
const factsKey = (name: string): string => `${PREFIX}${name}/${FACTS}`;

/** @returns undefined when there is no such image. */
export async function readStoredImageFacts(name: string): Promise<unknown> {
  const bytes = await readObject(factsKey(name));
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}

/** @throws Error when a file is missing. */
export async function readStoredImage(identity: Identity): Promise<Files> {
  const read = async (file: keyof Files): Promise<Uint8Array> => {
    const bytes = await readObject(fileKey(identity, file));
    if (bytes === undefined) throw new Error(`The image ${identity.name} has no file ${file}; push it again`);
    return bytes;
  };
  const [bios, vgaBios, state] = await Promise.all([read("bios"), read("vgaBios"), read("state")]);
  return { bios, vgaBios, state };
}

/** Replaces an image of the same name. */
export async function storeImage(facts: Identity, files: Files): Promise<void> {
  for (const file of FILES) await putObject(fileKey(facts, file), files[file], "application/octet-stream");
  await putObject(factsKey(facts.name), new TextEncoder().encode(JSON.stringify(facts)), "application/json");
}

/** Returns the names of the images. */
export async function listStoredImages(): Promise<string[]> {
  const names: string[] = [];
  let after: string | undefined;
  do {
    const { objects, isLast } = await listObjects(PREFIX, 1_000, after);
    for (const { key } of objects)
      if (key.endsWith(`/${FACTS}`)) names.push(key.slice(PREFIX.length, -FACTS.length - 1));
    after = isLast ? undefined : objects.at(-1)?.key;
  } while (after !== undefined);
  return names;
}

/** @returns false when there is no such image. */
export async function removeStoredImage(name: string): Promise<boolean> {
  if ((await readStoredImageFacts(name)) === undefined) return false;
  await deletePrefix(`${PREFIX}${name}/`);
  return true;
}
