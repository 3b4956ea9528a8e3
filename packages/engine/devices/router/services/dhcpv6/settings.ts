/** The settings of the DHCPv6 server, by the name of a port. */

import { contains6, formatPrefix6, type Prefix6 } from "../../../../net/address/prefix.ts";
import { POOL6_SETTINGS } from "../../../../net/dhcp/pool-shape.ts";
import { ipv6 } from "../../../../settings/addresses.ts";
import { map } from "../../../../settings/collections.ts";
import { checked, type Kind } from "../../../../settings/kind.ts";
import type { Path, PropertyReader } from "../../../../settings/property-reader.ts";
import {
  type DraftOf,
  formatShape,
  optional,
  type PropertiesOf,
  readShape,
  type SpecOf,
  schemaOfShape,
} from "../../../../settings/shape.ts";
import { edited, syntaxOf, wordsOf } from "../../../../settings/words.ts";
import { formatIpv6, parseIpv6 } from "../../../../wire/ipv6-address.ts";
import { type Ports, portName, portOf } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";

const SHAPE = {
  first: optional({ ...ipv6, placeholder: "FIRST" }, { about: "the first address of the pool" }),
  last: optional(
    { ...ipv6, placeholder: "LAST" },
    { about: "the last one; without both, no addresses are leased" },
  ),
  ...POOL6_SETTINGS,
} as const;

export interface Dhcpv6PortSpec extends SpecOf<typeof POOL6_SETTINGS> {
  /** Absent if the server leases no addresses: it then answers questions for names only. */
  readonly range?: { readonly first: string; readonly last: string };
}
export type Dhcpv6Spec = Readonly<Record<string, Dhcpv6PortSpec>>;
export type Dhcpv6Properties = Record<string, PropertiesOf<typeof SHAPE>>;

const serverPort = checked(portName, (name, ports: Ports) =>
  portOf(name, ports)?.ipv6 === undefined && portOf(name, ports) !== undefined
    ? "DHCPv6 needs an IPv6 address on the same port"
    : undefined,
);

type Draft = DraftOf<typeof SHAPE>;

/** @param subnet null or undefined if it is unknown. */
function checkAddresses(
  draft: Draft,
  reader: PropertyReader,
  path: Path,
  subnet: Prefix6 | null | undefined,
): void {
  const addressOf = (text: string | null | undefined) => (text ? parseIpv6(text) : undefined);
  const [first, last] = [addressOf(draft.first), addressOf(draft.last)];
  const reserved = (draft.reservations ?? []).map(({ address }) => parseIpv6(address));
  if ((first === undefined) !== (last === undefined))
    reader.add(path, "first and last need each other: without both, the server leases no addresses");
  if (first === undefined && reserved.length > 0)
    reader.add([...path, "reservations"], "reservations need first and last");
  if (first && last && first > last)
    reader.add([...path, "last"], `the pool ends at ${formatIpv6(last)}, before ${formatIpv6(first)}`);
  const own = reserved.map((each, index) => [["reservations", index, "address"], each] as const);
  for (const [key, address] of [[["first"], first], [["last"], last], ...own] as const)
    if (subnet && address && !contains6(subnet, address))
      reader.add(
        [...path, ...key],
        `${formatIpv6(address)} is not in the port's subnet ${formatPrefix6(subnet)}`,
      );
  if (subnet && first && last && first <= subnet.address && subnet.address <= last)
    reader.add(path, `the pool contains the port's own address ${formatIpv6(subnet.address)}`);
}

const dhcpv6Port: Kind<Dhcpv6PortSpec, Ports> = {
  read(reader, value, path, ports) {
    const before = reader.problems.length;
    const subnet = portOf(String(path.at(-1)), ports)?.ipv6;
    const spec = readShape<unknown, typeof SHAPE>(reader, value, path, SHAPE, undefined, (draft) => {
      if (reader.problems.length === before) checkAddresses(draft, reader, path, subnet);
    });
    if (spec === null) return null;
    const { first, last, ...others } = spec;
    return { ...(first && last && { range: { first, last } }), ...others };
  },
  format: ({ range, ...others }) => formatShape(SHAPE, { ...range, ...others }),
  placeholder: `[FIRST LAST] ${syntaxOf(POOL6_SETTINGS)}`,
  words: ({ range, ...others }) =>
    [...(range ? [range.first, range.last] : []), ...wordsOf(POOL6_SETTINGS, others)].join(" "),
  parse(words) {
    const hasRange = words[0]?.includes(":") === true;
    const [first, last] = words;
    if (!hasRange) return edited(POOL6_SETTINGS, {}, words);
    return last === undefined ? undefined : edited(POOL6_SETTINGS, { first, last }, words.slice(2));
  },
  schema: () => schemaOfShape(SHAPE),
};

const byPort = map(serverPort, dhcpv6Port, { already: "is there already" });

export const DHCPV6: ServiceSettings<"dhcpv6", Dhcpv6Spec, Dhcpv6Properties> & {
  readonly port: typeof dhcpv6Port;
} = {
  ...byPort,
  name: "dhcpv6",
  port: dhcpv6Port,
  format: (spec) =>
    Object.fromEntries(
      Object.entries(spec).map(([name, { range, ...others }]) => [
        name,
        formatShape(SHAPE, { ...range, ...others }),
      ]),
    ),
  print: (spec) =>
    Object.entries(spec).map(([name, each]) =>
      ["dhcpv6", name, dhcpv6Port.words(each)].filter(Boolean).join(" "),
    ),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly dhcpv6?: Dhcpv6Spec;
  }
  interface ServicesProperties {
    dhcpv6?: Dhcpv6Properties;
  }
}
