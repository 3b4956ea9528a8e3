/** Reads a lab file with Linux nodes, whose guests run in threads of this function. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { ThreadHost } from "@wirelab/linux/guest/thread-host";
import { problemOf, refuseTooMany } from "../shared/lab-file/check-guests.ts";
import { findImages, imageFolder } from "../shared/lab-file/guest-images.ts";
import { ANY_IMAGE, imagesOf } from "../shared/lab-file/lab-guests.ts";
import { readModel } from "../shared/lab-file/read-model.ts";
import { findImage } from "./guest-image.ts";

/** @throws ApiError for a file whose guests cannot run, and what `play` throws. */
export async function withFileGuests<T>(file: string, play: (model: LabModel) => Promise<T> | T): Promise<T> {
  const bytes = new TextEncoder().encode(file);
  const wanted = imagesOf(readModel(bytes, ANY_IMAGE));
  const images = await findImages(wanted, findImage);
  refuseTooMany(wanted, images);
  const host = new ThreadHost(imageFolder());
  try {
    const model = readModel(bytes, {
      problemOf: problemOf(images),
      makeDevice: (spec, world, state) => new LinuxDevice(spec, world, host, state as LinuxState | undefined),
    });
    return await play(model);
  } finally {
    host.close();
  }
}
