/** The properties and ports of Linux nodes. */
import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import { HOSTNAME } from "@wirelab/engine/devices/linux/spec";
import * as z from "zod/mini";
import { DEFAULT_LINUX_IMAGE, linuxImageOf, toLinuxImage } from "../../schemas/linux-image.ts";
import { arePortsChanged, divideSettings } from "../container-settings.ts";
import { ethernetPort, type Hardware, type Properties, parse, withoutNulls } from "../hardware.ts";
import type { ServiceType } from "../service-type.ts";

/** One network card carries all ports as VLANs: docs/linux-nodes.md. */
const MAX_PORTS = linuxKind.macs.perNode;
const MAX_ADDRESSES = 32;
const MAX_COMMANDS = 256;
const MAX_LINE_CHARACTERS = 1_000;
const MAX_FILES = 64;

const address = z
  .string()
  .check(z.regex(/^[0-9a-fA-F.:]+\/[0-9]{1,3}$/, "must be an address with prefix length"));
const addresses = z.pipe(
  z.nullable(z.union([address, z.array(address).check(z.maxLength(MAX_ADDRESSES))])),
  z.transform((given) => (given === null ? [] : typeof given === "string" ? [given] : given)),
);
const lines = z.array(z.string().check(z.maxLength(MAX_LINE_CHARACTERS))).check(z.maxLength(MAX_COMMANDS));

const linuxProperties = z.strictObject({
  image: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (image) => linuxImageOf(image) !== undefined,
            "must be the name of an image, such as frr or wirelab/linux:frr",
          ),
        ),
      z.transform((image) => toLinuxImage(linuxImageOf(image)!)),
    ),
    toLinuxImage(DEFAULT_LINUX_IMAGE),
  ),
  hostname: z.optional(z.string().check(z.regex(HOSTNAME.pattern, HOSTNAME.rule))),
  ports: z.optional(z.array(addresses).check(z.minLength(1), z.maxLength(MAX_PORTS))),
  files: z._default(
    z
      .record(
        z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[^\0]*$/)),
        // A shell, which writes the file, has no NUL in its words.
        z.string().check(z.regex(/^[^\0]*$/, "must be a text, without NUL")),
      )
      .check(z.refine((files) => Object.keys(files).length <= MAX_FILES, `has more than ${MAX_FILES} files`)),
    {},
  ),
  commands: z._default(
    z.union([
      z.pipe(
        z.string(),
        z.pipe(
          z.transform((text: string) => text.trimEnd().split("\n")),
          lines,
        ),
      ),
      lines,
    ]),
    [],
  ),
});

/**
 * @param before the node that a PUT changes: it keeps what `given` does not name.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export function makeLinuxHardware(given: Properties, before?: Hardware): Hardware {
  const { image, ...sent } = given;
  const { container, own, adapters } = divideSettings("linux", sent, before);
  const others: Properties = { ...own, ...(image !== undefined && { image }) };
  const { ports: kept, ...properties } = parse(
    linuxProperties,
    withoutNulls({ ...before?.properties, ...others }),
  );
  const count = countPorts(others.ports, adapters, kept, before);
  const ports = Array.from({ length: count }, (_, port) => kept?.[port] ?? []);
  return {
    properties: { ...properties, ports },
    ports: ports.map((_, port) => ethernetPort(`eth${port}`, port)),
    container,
  };
}

/** A client sends back the ports and their number: that of the two counts which it has changed. */
function countPorts(
  given: unknown,
  adapters: number | undefined,
  ports: readonly unknown[] | undefined,
  before: Hardware | undefined,
): number {
  if (arePortsChanged(given, before) && ports !== undefined)
    return Math.max(ports.length, before === undefined ? (adapters ?? 0) : 0);
  return adapters ?? before?.ports.length ?? linuxKind.template.adapters;
}

export const linuxType: ServiceType = {
  make: makeLinuxHardware,
  client: linuxProperties,
  builtin: { image: toLinuxImage(DEFAULT_LINUX_IMAGE) },
};
