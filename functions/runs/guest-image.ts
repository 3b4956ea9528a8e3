/** Finds images of Linux nodes: those that were pushed to the bucket, else those that are in the folder. */
import { BUILDER, type ImageFacts, readFacts, writeImage } from "@wirelab/linux/image/image";
import { readStoredImage, readStoredImageFacts } from "../shared/store/lab/linux-images.ts";

/** @returns undefined when there is no such image. Afterwards the folder has it. */
export async function findImage(folder: string, name: string): Promise<ImageFacts | undefined> {
  const local = readFacts(folder, name);
  const facts = (await readStoredImageFacts(name)) as ImageFacts | undefined;
  if (facts === undefined || facts.builder !== BUILDER || facts.digest === local?.digest) return local;
  // A push that is in progress has written the files before the facts.
  writeImage(folder, facts, await readStoredImage(facts));
  return facts;
}
