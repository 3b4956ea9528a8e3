/** Plays a lab file with Linux nodes. */
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { ThreadHost } from "@wirelab/linux/guest/thread-host";
import { cacheFolder, type ImageFacts, imagesFolder } from "@wirelab/linux/image/image";
import { failureOf } from "../shared/edge/errors.ts";
import { figure, GUEST_LIMITS } from "../shared/edge/figures.ts";
import { GUEST_ERRORS } from "../shared/edge/own-errors.ts";
import { ANY_IMAGE, imagesOf } from "../shared/lab-file/lab-guests.ts";
import { type PlayQuery, playLabFile } from "../shared/lab-file/play-lab-file.ts";
import { readModel } from "../shared/lab-file/read-model.ts";
import type { StoredAnswer } from "../shared/run/stored-run.ts";
import { findImage } from "./guest-image.ts";

export interface LabFileRequest {
  readonly body: { readonly file: string; readonly query: PlayQuery };
  readonly remainingTimeMs: () => number;
}

type Images = ReadonlyMap<string, ImageFacts | undefined>;

export async function runLabFile({
  body: { file, query },
  remainingTimeMs,
}: LabFileRequest): Promise<StoredAnswer> {
  const bytes = new TextEncoder().encode(file);
  const wanted = imagesOf(readModel(bytes, ANY_IMAGE));
  const folder = imagesFolder(cacheFolder(process.env));
  const images = new Map<string, ImageFacts | undefined>();
  for (const image of new Set(wanted)) images.set(image, await findImage(folder, image));
  refuseTooMany(wanted, images);
  const host = new ThreadHost(folder);
  try {
    const model = readModel(bytes, {
      problemOf: (image) =>
        images.get(image) === undefined
          ? `this service has no image ${image}; run: wirelab image build ${image} && wirelab image push ${image}`
          : undefined,
      makeDevice: (spec, world, state) => new LinuxDevice(spec, world, host, state as LinuxState | undefined),
    });
    return await playLabFile(model, query, remainingTimeMs);
  } finally {
    host.close();
  }
}

/** Counts all Linux nodes of the file: each of them may be switched on. */
function refuseTooMany(wanted: readonly string[], images: Images): void {
  const limit = figure(GUEST_LIMITS, "linux_max_guests");
  if (wanted.length > limit) throw failureOf(GUEST_ERRORS, "run.too-many-guests", { limit });
  const amount = wanted.reduce((sum, image) => sum + (images.get(image)?.memoryMiB ?? 0), 0);
  const most = figure(GUEST_LIMITS, "linux_max_memory_mb");
  if (amount > most) throw failureOf(GUEST_ERRORS, "run.too-much-memory", { amount, limit: most });
}
