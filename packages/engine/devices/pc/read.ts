/** Reads the properties of a PC. */
import { flag, prose } from "../../settings/kind.ts";
import { readShape, setting } from "../../settings/shape.ts";
import { type NodeReader, reading } from "../node-reader.ts";
import type { PcSpec } from "./state.ts";

export const PC = {
  startup_script: setting(prose("TEXT"), "", {
    about: "commands that it runs at power-on",
    name: "startupScript",
  }),
  ignore_checksums: setting(flag, false, {
    about: "whether it accepts packets with wrong checksums, as VPCS does",
    name: "ignoresChecksums",
  }),
};

export const readPc: NodeReader<PcSpec> = ({ startup_script, ignore_checksums }, { name, index }) => {
  const given = { startup_script, ignore_checksums };
  const read = reading((reader) => readShape(reader, given, [], PC, undefined));
  if (!read.ok) return read;
  return {
    ok: true,
    spec: { type: "vpcs", name, index, ...read.value },
    ports: ["Ethernet0"],
    addresses: [],
  };
};
