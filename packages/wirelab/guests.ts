/** Linux guests of labs that this process plays, one lab after another. */

import type { Guests } from "@wirelab/lab/read/guests";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { ThreadHost } from "@wirelab/linux/guest/thread-host";
import { cacheFolder, configuredFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";

let current: ThreadHost | undefined;

/**
 * Guests of one lab. They end when a guest of another lab starts.
 * @param isParallel whether guests compute at the same time; what they do is the same.
 */
export function makeGuests(isParallel = true): Guests {
  const cache = cacheFolder(process.env);
  const folder = imagesFolder(cache);
  const configured = configuredFolder(cache);
  let host: ThreadHost | undefined;
  return {
    problemOf: (image) =>
      readFacts(folder, image) === undefined
        ? `there is no image ${image}; build it with: wirelab image build ${image}`
        : undefined,
    makeDevice(spec, world, state) {
      host ??= new ThreadHost(folder, { isParallel, configured });
      if (current !== host) current?.pause();
      current = host;
      return new LinuxDevice(spec, world, host, state as LinuxState | undefined);
    },
  };
}
