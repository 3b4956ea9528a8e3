/** What a guest prints while it boots. */
import { ImageError } from "./image-error.ts";
import { NO_WIRE } from "./wire.ts";

/**
 * A guest whose files or modules are incomplete starts nevertheless, and prints a message.
 * @throws ImageError
 */
export function refuseIncomplete(printed: string, memoryMiB: number): void {
  if (printed.includes("Initramfs unpacking failed"))
    throw new ImageError(
      `the files of the recipe do not fit into ${memoryMiB} MiB: its memory has to be larger`,
    );
  if (printed.includes(NO_WIRE))
    throw new ImageError(`the guest cannot make its ports: ${printed.slice(-500)}`);
  const [failure] = /^insmod: .*$/m.exec(printed) ?? [];
  if (failure !== undefined) throw new ImageError(`the guest cannot load a kernel module: ${failure}`);
}
