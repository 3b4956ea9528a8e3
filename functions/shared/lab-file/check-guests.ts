/** Checks the Linux nodes of a lab file: whether the service has their images, and whether their guests fit in one run. */
import { failureOf } from "../edge/errors.ts";
import { figure, GUEST_LIMITS } from "../edge/figures.ts";
import { GUEST_ERRORS } from "../edge/own-errors/guest.ts";
import { findFacts, findImages, type Images } from "./guest-images.ts";
import { ANY_IMAGE, imagesOf } from "./lab-guests.ts";
import { readModel } from "./read-model.ts";

/** @throws ApiError with the line and column of each image that the service does not have, `run.too-many-guests`, `run.too-much-memory`. */
export async function checkGuests(file: Uint8Array): Promise<void> {
  const wanted = imagesOf(readModel(file, ANY_IMAGE));
  const images = await findImages(wanted, findFacts);
  refuseTooMany(wanted, images);
  readModel(file, { ...ANY_IMAGE, problemOf: problemOf(images) });
}

/** Counts all Linux nodes of the file: each of them may be switched on. */
export function refuseTooMany(wanted: readonly string[], images: Images): void {
  const limit = figure(GUEST_LIMITS, "linux_max_guests");
  if (wanted.length > limit) throw failureOf(GUEST_ERRORS, "run.too-many-guests", { limit });
  const amount = wanted.reduce((sum, image) => sum + (images.get(image)?.memoryMiB ?? 0), 0);
  const most = figure(GUEST_LIMITS, "linux_max_memory_mb");
  if (amount > most) throw failureOf(GUEST_ERRORS, "run.too-much-memory", { amount, limit: most });
}

export const problemOf =
  (images: Images) =>
  (image: string): string | undefined =>
    images.get(image) === undefined
      ? `this service has no image ${image}; run: wirelab image build ${image} && wirelab image push ${image}`
      : undefined;
