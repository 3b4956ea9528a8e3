/** What a guest prints while it boots. */
import { ImageError } from "./image-error.ts";

/**
 * A guest whose files or modules are incomplete starts nevertheless, and prints a message.
 * @throws ImageError
 */
export function refuseIncomplete(printed: string, memoryMiB: number): void {
  if (printed.includes("Initramfs unpacking failed"))
    throw new ImageError(
      `the files of the recipe do not fit into ${memoryMiB} MiB: its memory has to be larger`,
    );
  const [failure] = /^insmod: .*$/m.exec(printed) ?? [];
  if (failure !== undefined) throw new ImageError(`the guest cannot load a kernel module: ${failure}`);
}
