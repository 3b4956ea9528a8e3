/**
 * Routers, servers and Linux nodes (linux-image.ts) in the form that existing clients accept: they reject a node whose type they do not know, and take any image of
 * a `docker` node. docs/compatibility.md gives the reasons.
 */
import { type ImageType, KINDS } from "@wirelab/engine/devices/kinds";

export type { ImageType };

/** By node type, the images by which clients know it. */
export const IMAGES = Object.fromEntries(
  KINDS.flatMap(({ type, image }) => (image === undefined ? [] : [[type, image]])),
) as Readonly<Record<ImageType, string>>;

export const hasImage = (type: string): type is ImageType => Object.hasOwn(IMAGES, type);

/** The settings of a container that clients read without a default. They have no effect here, and are kept for the client. */
export const CONTAINER_DEFAULTS = {
  console_http_path: "/",
  console_http_port: 80,
  console_resolution: "1024x768",
  environment: "",
  extra_hosts: "",
  extra_volumes: [],
  mac_address: "",
  start_command: "",
  usage: "",
};

/** @param image as a client names it, with or without a tag. @returns the node type of the image; undefined for another image. */
export function typeOfImage(image: unknown): ImageType | undefined {
  const [, type] = (typeof image === "string" && /^wirelab\/(\w+)(?::[\w.-]{1,128})?$/.exec(image)) || [];
  return type !== undefined && hasImage(type) ? type : undefined;
}

/** The properties of such a node as responses show them: `adapters` is the number of its ports. */
export const asContainer = (
  type: ImageType,
  own: Record<string, unknown>,
  ports: readonly unknown[],
  container: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...CONTAINER_DEFAULTS,
  ...container,
  image: IMAGES[type],
  adapters: ports.length,
  ...own,
});
