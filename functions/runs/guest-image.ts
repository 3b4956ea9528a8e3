/** Brings images of Linux nodes from the bucket to the folder. */
import { type ImageFacts, readFacts, writeImage } from "@wirelab/linux/image/image";
import { findFacts } from "../shared/lab-file/guest-images.ts";
import { readStoredImage } from "../shared/store/lab/linux-images.ts";

/** @returns undefined when there is no such image. Afterwards the folder has it. */
export async function findImage(folder: string, name: string): Promise<ImageFacts | undefined> {
  const facts = await findFacts(folder, name);
  if (facts === undefined || facts.digest === readFacts(folder, name)?.digest) return facts;
  // A push that is in progress has written the files before the facts.
  writeImage(folder, facts, await readStoredImage(facts));
  return facts;
}
