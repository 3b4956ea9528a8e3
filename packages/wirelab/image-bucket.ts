/** The images in the bucket of a service. */
import { type ImageFacts, readFacts, readImageFiles } from "@wirelab/linux/image/image";
import { ImageError } from "@wirelab/linux/image/image-error";
import { readStackOutput } from "../../functions/shared/store/base/stack-outputs.ts";
import {
  listStoredImages,
  readStoredImageFacts,
  removeStoredImage,
  storeImage,
} from "../../functions/shared/store/lab/linux-images.ts";
import { DataError } from "./failure.ts";

const STACK_OUTPUT = "BucketName";

export interface ImageBucket {
  list(): Promise<ImageFacts[]>;
  /** @returns the bytes of its files. @throws ImageError if the folder has no such image. */
  push(folder: string, name: string): Promise<number>;
  /** @throws ImageError if there is no such image. */
  remove(name: string): Promise<void>;
}

/** @throws DataError when the stack has no bucket. */
export async function openImageBucket(
  stack: string | undefined,
  bucket: string | undefined,
): Promise<ImageBucket> {
  const name = bucket ?? (await readStackOutput(stack!, STACK_OUTPUT));
  if (name === undefined) throw new DataError(`the stack ${stack} has no output ${STACK_OUTPUT}`);
  process.env.BUCKET_NAME = name;
  return { list, push, remove };
}

async function list(): Promise<ImageFacts[]> {
  const facts = await Promise.all((await listStoredImages()).map(readStoredImageFacts));
  return facts.filter((each) => each !== undefined) as ImageFacts[];
}

async function push(folder: string, name: string): Promise<number> {
  const facts = readFacts(folder, name);
  if (facts === undefined)
    throw new ImageError(`there is no image ${name}; build it with: wirelab image build ${name}`);
  const files = readImageFiles(folder, name);
  await storeImage(facts, files);
  return Object.values(files).reduce((sum, { length }) => sum + length, 0);
}

async function remove(name: string): Promise<void> {
  if (!(await removeStoredImage(name))) throw new ImageError(`there is no image ${name}`);
}
