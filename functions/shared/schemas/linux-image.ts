/**
 * Images of Linux nodes (docs/linux-nodes.md). Existing clients see a Linux node as a `docker` node, as they see a router
 * (router-image.ts): the image `frr` is `wirelab/linux:frr` there.
 */

import { IMAGES } from "./router-image.ts";

export const DEFAULT_LINUX_IMAGE = "debian";

/** @param image as a client names it: `frr`, `wirelab/linux:frr`, or `wirelab/linux`. @returns its name; undefined for other images. */
export function linuxImageOf(image: unknown): string | undefined {
  if (typeof image !== "string") return undefined;
  if (image === IMAGES.linux) return DEFAULT_LINUX_IMAGE;
  return /^(?:wirelab\/linux:)?([a-z][a-z0-9-]{0,31})$/.exec(image)?.[1];
}

export const toLinuxImage = (name: string): string => `${IMAGES.linux}:${name}`;
