/** Reads the properties of a Linux node. */
import { list, map } from "../../settings/collections.ts";
import { prose, text } from "../../settings/kind.ts";
import { optional, readShape, required, setting } from "../../settings/shape.ts";
import { macOf } from "../node-kind.ts";
import { type NodeReader, reading, withoutLengths } from "../node-reader.ts";
import { linuxKind } from "./kind.ts";
import type { LinuxSpec } from "./spec.ts";

const MAX_ITEMS = 100_000;
export const LINUX = {
  image: required(text("IMAGE"), { about: "the name of an image, such as frr" }),
  hostname: optional(text("NAME"), { about: "absent: the name of the node" }),
  ports: required(list(list(text("ADDR"), { max: MAX_ITEMS }), { min: 1, max: linuxKind.macs.perNode }), {
    about: "addresses with prefix length, by port",
    name: "addresses",
  }),
  files: setting(
    map(text("PATH"), prose("TEXT"), { keepsOrder: true }),
    {},
    {
      about: "text files by path, written before the commands",
    },
  ),
  commands: setting(list(text("COMMAND"), { max: MAX_ITEMS }), [], { about: "shell commands at power-on" }),
};

export const readLinux: NodeReader<LinuxSpec> = (
  { image, hostname, ports, files, commands },
  { name, index },
) => {
  const given = { image, hostname, ports, files, commands };
  const read = reading((reader) => readShape(reader, given, [], LINUX, undefined));
  if (!read.ok) return read;
  const { addresses } = read.value;
  return {
    ok: true,
    spec: { type: "linux", name, ...read.value, ports: addresses.length, mac: macOf(linuxKind.macs, index) },
    ports: addresses.map((_, port) => `eth${port}`),
    addresses: withoutLengths(addresses.flat()),
  };
};
