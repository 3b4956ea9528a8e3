/** The settings of a container, which clients of a router or server send with its properties. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import * as z from "zod/mini";
import { type CONTAINER_DEFAULTS, IMAGES, type ImageType, typeOfImage } from "../schemas/router-image.ts";
import { type Hardware, type Properties, parse, split, withoutNulls } from "./hardware.ts";

const text = z.nullable(z.string().check(z.maxLength(16_384)));
const shape: Record<keyof typeof CONTAINER_DEFAULTS, z.ZodMiniType> = {
  console_http_path: text,
  console_http_port: z.nullable(z.int().check(z.minimum(1), z.maximum(65_535))),
  console_resolution: text,
  environment: text,
  extra_hosts: text,
  extra_volumes: z.nullable(z.array(z.string().check(z.maxLength(4_096))).check(z.maxLength(64))),
  mac_address: text,
  start_command: text,
  usage: text,
};
export const containerSchema = z.partial(z.strictObject(shape));

const MOST_ADAPTERS = 64;

export interface Divided {
  /** Those of the container, with those of the node before; without nulls. */
  readonly container: Properties;
  /** Those of the device. */
  readonly own: Properties;
  /** The number of ports that the client asks for. */
  readonly adapters: number | undefined;
}

/** Divides what a client sends for a node of a type. @throws ApiError 400 for invalid settings, or the image of another type. */
export function divideSettings(type: ImageType, given: Properties, before: Hardware | undefined): Divided {
  const { image, adapters, ...others } = given;
  const imageSchema = z.optional(
    z.string().check(z.refine((text) => typeOfImage(text) === type, `is not ${IMAGES[type]}`)),
  );
  parse(imageSchema, image, ["image"]);
  const [settings, own] = split(others, (key) => key in shape);
  const most = Math.min(MOST_ADAPTERS, kindOf(type).macs?.perNode ?? MOST_ADAPTERS);
  const count = z.optional(z.int().check(z.minimum(1), z.maximum(most)));
  return {
    container: withoutNulls({ ...before?.container, ...parse(containerSchema, settings) }),
    own,
    adapters: parse(count, adapters, ["adapters"]),
  };
}

/** A client sends back the ports and their number. @returns whether it has changed the ports themselves. */
export const arePortsChanged = (given: unknown, before: Hardware | undefined): boolean =>
  given !== undefined && JSON.stringify(given) !== JSON.stringify(before?.properties.ports);
