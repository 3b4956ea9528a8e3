/** Reads what is behind a cloud, from a lab file's map or from a text of the command line. */
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { MAX_VNI, VXLAN_PORT } from "@wirelab/engine/wire/vxlan";
import type { Outside, SocketAddress } from "../model/outside.ts";

/** Names of interfaces are at most 15 bytes (IFNAMSIZ, netdevice(7)), and become arguments of a program. */
const INTERFACE = /^[A-Za-z0-9_.@-]{1,15}$/;

export interface OutsideTexts {
  readonly udp?: { readonly listen: string; readonly to: string } | undefined;
  readonly vxlan?: { readonly vni: number; readonly listen: string; readonly to: string } | undefined;
  readonly tap?: string | undefined;
  readonly interface?: string | undefined;
}

/** @returns undefined for a map without any of the keys. @throws Error in words, with the key that is wrong. */
export function readOutside(given: OutsideTexts): Outside | undefined {
  const kinds = (["udp", "vxlan", "tap", "interface"] as const).filter((kind) => given[kind] !== undefined);
  if (kinds.length > 1) throw new Error(`has ${kinds.join(" and ")}; a cloud has one`);
  const { udp, vxlan, tap } = given;
  if (udp) return { kind: "udp", listen: readAddress(udp.listen, "listen"), to: readAddress(udp.to, "to") };
  if (vxlan) {
    const { vni } = vxlan;
    if (!Number.isInteger(vni) || vni < 0 || vni > MAX_VNI)
      throw new Error(`vni must be an integer from 0 to ${MAX_VNI}, got ${vni}`);
    const listen = readAddress(vxlan.listen, "listen", VXLAN_PORT);
    return { kind: "vxlan", vni, listen, to: readAddress(vxlan.to, "to", VXLAN_PORT) };
  }
  if (tap !== undefined) return { kind: "tap", name: readInterface(tap) };
  return given.interface === undefined
    ? undefined
    : { kind: "interface", name: readInterface(given.interface) };
}

/** @param text `udp:LISTEN,TO`, `vxlan:VNI,LISTEN,TO`, `tap:NAME` or `interface:NAME`. @throws Error in words. */
export function parseOutside(text: string): Outside {
  const [, kind = "", rest = ""] = /^([a-z]+):(.*)$/.exec(text) ?? [];
  const parts = rest.split(",");
  const [first = "", second = "", third = ""] = parts;
  if (kind === "udp" && parts.length === 2) return readOutside({ udp: { listen: first, to: second } })!;
  if (kind === "vxlan" && parts.length === 3)
    return readOutside({ vxlan: { vni: Number(first || Number.NaN), listen: second, to: third } })!;
  if (kind === "tap") return readOutside({ tap: rest })!;
  if (kind === "interface") return readOutside({ interface: rest })!;
  throw new Error("expected udp:LISTEN,TO or vxlan:VNI,LISTEN,TO or tap:NAME or interface:NAME");
}

function readInterface(name: string): string {
  if (INTERFACE.test(name)) return name;
  throw new Error(
    `must be the name of an interface, 1 to 15 of letters, digits and _ . @ -, got ${JSON.stringify(name)}`,
  );
}

/** @param text `127.0.0.1:20000`, `[::1]:20000`; with a default port, the address alone, too. */
function readAddress(text: string, key: string, defaultPort?: number): SocketAddress {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]*)|)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? "";
  const isAddress = bracketed === undefined ? parseIpv4(host) !== null : parseIpv6(host) !== null;
  const port = digits === undefined ? defaultPort : Number(digits);
  if (isAddress && port !== undefined && port <= 65_535) return { host, port };
  throw new Error(
    `${key} must be an IP address${defaultPort === undefined ? " with a port" : ""}, as in 127.0.0.1:${defaultPort ?? 20000}, got ${JSON.stringify(text)}`,
  );
}
