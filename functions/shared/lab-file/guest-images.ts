/** The images of Linux nodes: those that were pushed to the bucket, else those that are in the folder. */
import { BUILDER, cacheFolder, type ImageFacts, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { readStoredImageFacts } from "../store/lab/linux-images.ts";

/** By name; undefined when there is no such image. */
export type Images = ReadonlyMap<string, ImageFacts | undefined>;

export const imageFolder = (): string => imagesFolder(cacheFolder(process.env));

/** @returns undefined when there is no such image. */
export async function findFacts(folder: string, name: string): Promise<ImageFacts | undefined> {
  const stored = (await readStoredImageFacts(name)) as ImageFacts | undefined;
  return stored?.builder === BUILDER ? stored : readFacts(folder, name);
}

/** @param find finds the facts of an image, once for each name. */
export async function findImages(
  names: readonly string[],
  find: (folder: string, name: string) => Promise<ImageFacts | undefined>,
): Promise<Images> {
  const folder = imageFolder();
  const images = new Map<string, ImageFacts | undefined>();
  for (const name of new Set(names)) images.set(name, await find(folder, name));
  return images;
}
