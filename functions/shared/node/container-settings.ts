/** The settings of a container, which clients of a router or server send with its properties. */
import * as z from "zod/mini";
import { invalidRequest } from "../edge/errors.ts";
import { type CONTAINER_DEFAULTS, IMAGES, type ImageType, typeOfImage } from "../schemas/router-image.ts";
import { type Properties, withoutNulls } from "./hardware.ts";

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
const containerSchema = z.partial(z.strictObject(shape));

export interface Divided {
  /** Those of the container, with those of the node before; without nulls. */
  readonly container: Properties;
  /** Those of the device. */
  readonly own: Properties;
  readonly adapters: unknown;
}

/** Divides what a client sends for a node of a type. @throws ApiError 400 for invalid settings, or the image of another type. */
export function divideSettings(type: ImageType, given: Properties, before: Properties | undefined): Divided {
  const { image, adapters, ...others } = given;
  const imageSchema = z.optional(
    z.string().check(z.refine((text) => typeOfImage(text) === type, `is not ${IMAGES[type]}`)),
  );
  parse(imageSchema, image, ["image"]);
  const [settings, own] = split(others, (key) => key in shape);
  return { container: withoutNulls({ ...before, ...parse(containerSchema, settings, []) }), own, adapters };
}

export function parse<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  path: readonly string[],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidAt(
    result.error.issues.map((issue) => ({
      path: [...path, ...issue.path.map(String)],
      message: issue.message,
    })),
  );
}

export const invalidAt = (
  problems: readonly { path: readonly (string | number)[]; message: string }[],
): Error =>
  invalidRequest(
    problems.map(({ path, message }) => ({ path: ["body.properties", ...path].join("."), message })),
  );

function split(all: Properties, isFirst: (key: string) => boolean): [Properties, Properties] {
  const [first = [], second = []] = [true, false].map((wanted) =>
    Object.entries(all).filter(([key]) => isFirst(key) === wanted),
  );
  return [Object.fromEntries(first), Object.fromEntries(second)];
}
