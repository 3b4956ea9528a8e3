import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";

/** What runs Linux guests; a page has none. */
export interface Guests {
  /** @returns why the image cannot be used, in words, or undefined. */
  problemOf(image: string): string | undefined;
  readonly makeDevice: NonNullable<LinuxSpec["makeDevice"]>;
}
