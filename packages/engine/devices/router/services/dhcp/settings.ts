/** DHCP pools for subnets behind relays, which are on no port of the router. */

import { prefixKind } from "../../../../net/address/network-kinds.ts";
import {
  broadcast4,
  contains4,
  formatPrefix4,
  hasBroadcast,
  network4,
  overlaps,
  type Prefix4,
  parsePrefix4,
} from "../../../../net/address/prefix.ts";
import { POOL } from "../../../../net/dhcp/pool-shape.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import type { Path, PropertyReader } from "../../../../settings/property-reader.ts";
import {
  type DraftOf,
  formatShape,
  type PropertiesOf,
  readShape,
  required,
  type SpecOf,
  schemaOfShape,
} from "../../../../settings/shape.ts";
import { wordsOf } from "../../../../settings/words.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { Ports } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";

const MAX_POOLS = 64;

const REMOTE_POOL = {
  subnet: required(prefixKind("a prefix (10.1.0.0/24)", parsePrefix4, "SUBNET"), {
    about: "the prefix of the subnet",
  }),
  gateway: required(ipv4, { about: "the default gateway of its hosts" }),
  ...POOL,
} as const;

export type RemotePoolSpec = SpecOf<typeof REMOTE_POOL>;
export type RemotePoolProperties = PropertiesOf<typeof REMOTE_POOL>;

function readRemotePools(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  ports: Ports,
): readonly RemotePoolSpec[] | null {
  const given = reader.array(value, path, 0, MAX_POOLS);
  const subnets = (ports ?? []).flatMap(({ ipv4: subnet }) => (subnet ? [subnet] : []));
  const pools = given?.map((each, index) => {
    const rules = (draft: Draft) => checkPool(reader, draft, [...path, index], subnets);
    return readShape(reader, each, [...path, index], REMOTE_POOL, undefined, rules);
  });
  return pools?.every((each) => each !== null) ? pools : null;
}

type Draft = DraftOf<typeof REMOTE_POOL>;

/** @param subnets subnets of the ports and of earlier pools; this pool's subnet is appended. */
function checkPool(reader: PropertyReader, draft: Draft, path: Path, subnets: Prefix4[]): void {
  const subnet = draft.subnet ? parsePrefix4(draft.subnet) : null;
  const [gateway, first, last] = [draft.gateway, draft.first, draft.last].map((text) =>
    text ? parseIpv4(text) : null,
  ) as [number | null, number | null, number | null];
  const reserved = (draft.reservations ?? []).map(
    ({ address }, index) => [["reservations", index, "address"], parseIpv4(address)] as const,
  );
  if (subnet !== null) checkSubnet(reader, subnet, [...path, "subnet"], subnets);
  for (const [key, each] of [
    [["gateway"], gateway],
    [["first"], first],
    [["last"], last],
    ...reserved,
  ] as const)
    if (subnet !== null && each !== null) checkHost(reader, each, subnet, [...path, ...key]);
  if (first !== null && last !== null && gateway !== null) checkRange(reader, first, last, gateway, path);
  if (subnet !== null) subnets.push(subnet);
}

function checkSubnet(reader: PropertyReader, subnet: Prefix4, path: Path, others: readonly Prefix4[]): void {
  const text = formatPrefix4(subnet);
  const { address, prefixLength } = subnet;
  if (network4(address, prefixLength) !== address) {
    const meant = formatPrefix4({ address: network4(address, prefixLength), prefixLength });
    reader.add(path, `${text} has bits set after its prefix; the network is ${meant}`);
  } else if (others.some((other) => overlaps(contains4, other, subnet)))
    reader.add(path, `${text} overlaps the subnet of a port or of another pool`);
}

function checkHost(reader: PropertyReader, address: number, subnet: Prefix4, path: Path): void {
  const [text, net] = [formatIpv4(address), formatPrefix4(subnet)];
  if (!contains4(subnet, address)) reader.add(path, `${text} is not in the subnet ${net}`);
  else if (hasBroadcast(subnet) && address === network4(address, subnet.prefixLength))
    reader.add(path, `${text} is the network address of ${net}`);
  else if (hasBroadcast(subnet) && address === broadcast4(subnet))
    reader.add(path, `${text} is the broadcast address of ${net}`);
}

function checkRange(reader: PropertyReader, first: number, last: number, gateway: number, path: Path): void {
  if (first > last)
    reader.add([...path, "last"], `the pool ends at ${formatIpv4(last)}, before ${formatIpv4(first)}`);
  if (first <= gateway && gateway <= last)
    reader.add(path, `the pool contains the gateway's address ${formatIpv4(gateway)}`);
}

export const REMOTE_POOLS: ServiceSettings<"dhcpPools", readonly RemotePoolSpec[], RemotePoolProperties[]> = {
  name: "dhcpPools",
  omitsEmpty: true,
  read: readRemotePools,
  format: (pools) => pools.map((each) => formatShape(REMOTE_POOL, each)),
  print: (pools) =>
    pools.map((each) =>
      [
        `dhcp-pool ${each.subnet} gateway ${each.gateway} ${each.first} ${each.last}`,
        ...wordsOf(REMOTE_POOL, each),
      ].join(" "),
    ),
  schema: () => ({ type: "array", items: schemaOfShape(REMOTE_POOL), maxItems: MAX_POOLS }),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly dhcpPools?: readonly RemotePoolSpec[];
  }
  interface ServicesProperties {
    dhcp_pools?: RemotePoolProperties[];
  }
}
