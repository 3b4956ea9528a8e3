/** `ports_mapping`: the ports of a switch, hub or cloud, each numbered by its place in the list. */

import type { SwitchPort } from "../net/bridge/ports.ts";
import { list } from "../settings/collections.ts";
import { choice, integer, text } from "../settings/kind.ts";
import type { PropertyReader } from "../settings/property-reader.ts";
import { optional, setting } from "../settings/shape.ts";
import { record } from "../settings/words.ts";
import { ETHERTYPE_VLAN } from "../wire/ethernet.ts";
import { MOST_MAPPED_PORTS } from "./node-kind.ts";
import type { Properties } from "./node-reader.ts";

export const entry = {
  name: optional(text("NAME")),
  port_number: optional(integer(0, 65_535)),
};
const switchEntry = {
  ...entry,
  type: setting(choice("access", "dot1q", "qinq"), "access"),
  vlan: setting(integer(1, 4_094), 1),
  ethertype: setting(choice("", "0x8100", "0x88A8", "0x9100", "0x9200"), ""),
};
export const mapping = list(record(entry), { max: MOST_MAPPED_PORTS });
export const switchMapping = list(record(switchEntry), { max: MOST_MAPPED_PORTS });

const nameOf = ({ name }: { readonly name?: string }, port: number): string => name ?? `Ethernet${port}`;

/** @returns the names of the ports. */
export const readPortNames = (
  reader: PropertyReader,
  { ports_mapping = [] }: Properties,
): readonly string[] | null =>
  mapping.read(reader, ports_mapping, ["ports_mapping"], undefined)?.map(nameOf) ?? null;

interface SwitchPorts {
  readonly names: readonly string[];
  readonly ports: readonly SwitchPort[];
}

export function readSwitchPorts(
  reader: PropertyReader,
  { ports_mapping = [] }: Properties,
  isWired: ((port: number) => boolean) | undefined,
): SwitchPorts | null {
  const read = switchMapping.read(reader, ports_mapping, ["ports_mapping"], undefined);
  return (
    read && {
      names: read.map(nameOf),
      ports: read.map(({ type, vlan, ethertype }, port) => ({
        type,
        vlan,
        etherType: ethertype === "" ? ETHERTYPE_VLAN : Number(ethertype),
        ...(isWired && { isWired: isWired(port) }),
      })),
    }
  );
}
