/** `ip -j addr`, `ip -j route` and `ip -j neigh` of iproute2. */
import { fieldsOf } from "../file/fields.ts";
import { listOf, numberOf, parseJson, textOf } from "./json.ts";

export interface IpPort {
  readonly name: string;
  /** Whether it is switched on; it may be without a carrier. */
  readonly isOn: boolean;
  readonly hasCarrier: boolean;
  readonly mtu: number | undefined;
  /** The table of routes (VRF), bridge or bond that it belongs to. */
  readonly master: string | undefined;
  readonly mac: string | undefined;
  /** With prefix length. */
  readonly addresses: readonly string[];
}

export interface IpRoute {
  /** `default` or a prefix; an address stands for one host. */
  readonly to: string;
  readonly protocol: string | undefined;
  /** Several for equal-cost routes; none for what is dropped. */
  readonly hops: readonly { readonly via: string | undefined; readonly port: string | undefined }[];
}

export interface IpNeighbour {
  readonly address: string;
  readonly port: string;
  readonly mac: string | undefined;
  readonly states: readonly string[];
}

/** @returns undefined if the program has printed something else. */
export function parseIpPorts(text: string): readonly IpPort[] | undefined {
  const data = parseJson(text);
  if (!Array.isArray(data)) return undefined;
  return listOf(data).flatMap((each) => {
    const { ifname, flags, mtu, master, address, addr_info } = fieldsOf(each);
    const name = textOf(ifname);
    if (name === undefined) return [];
    return [
      {
        name,
        isOn: listOf(flags).includes("UP"),
        hasCarrier: listOf(flags).includes("LOWER_UP"),
        mtu: numberOf(mtu),
        master: textOf(master),
        mac: textOf(address),
        addresses: listOf(addr_info).flatMap((info) => {
          const { local, prefixlen } = fieldsOf(info);
          return textOf(local) === undefined ? [] : [`${local}/${numberOf(prefixlen) ?? 0}`];
        }),
      },
    ];
  });
}

/** @returns undefined if the program has printed something else. */
export function parseIpRoutes(text: string): readonly IpRoute[] | undefined {
  const data = parseJson(text);
  if (!Array.isArray(data)) return undefined;
  return listOf(data).flatMap((each) => {
    const { dst, gateway, via, dev, protocol, nexthops } = fieldsOf(each);
    const to = textOf(dst);
    if (to === undefined) return [];
    const several = listOf(nexthops).map(fieldsOf);
    const hops = several.length > 0 ? several : [{ gateway, via, dev }];
    return [
      {
        to,
        protocol: textOf(protocol),
        hops: hops
          .map((hop) => ({
            via: textOf(hop.gateway) ?? textOf(fieldsOf(hop.via).host),
            port: textOf(hop.dev),
          }))
          .filter((hop) => hop.via !== undefined || hop.port !== undefined),
      },
    ];
  });
}

/** @returns undefined if the program has printed something else. */
export function parseIpNeighbours(text: string): readonly IpNeighbour[] | undefined {
  const data = parseJson(text);
  if (!Array.isArray(data)) return undefined;
  return listOf(data).flatMap((each) => {
    const { dst, dev, lladdr, state } = fieldsOf(each);
    const [address, port] = [textOf(dst), textOf(dev)];
    if (address === undefined || port === undefined) return [];
    return [{ address, port, mac: textOf(lladdr), states: listOf(state).map(String) }];
  });
}
