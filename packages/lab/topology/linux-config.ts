/** What commands have configured on a Linux host, of what simulated devices have. */
import {
  contains4,
  contains6,
  isPrefix4,
  network4,
  network6,
  parseAnyAddress,
  parseAnyPrefix,
} from "@wirelab/engine/net/address/prefix";

export interface LinuxConfig {
  /** Addresses with prefix length, by interface. */
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  readonly routes: readonly { readonly to: string; readonly via: string }[];
  /** By interface, where a command sets it. */
  readonly mtus: ReadonlyMap<string, number>;
  /** Interfaces with a DHCP client. */
  readonly leased: ReadonlySet<string>;
  readonly isForwarding: boolean;
}

export const DEFAULT_4 = "0.0.0.0/0";
export const DEFAULT_6 = "::/0";

/** Each method returns why a simulated device cannot do it, or undefined. */
export class LinuxDraft implements LinuxConfig {
  readonly addresses = new Map<string, string[]>();
  readonly mtus = new Map<string, number>();
  readonly leased = new Set<string>();
  routes: { to: string; via: string }[] = [];
  isForwarding = true;
  readonly #interfaces: ReadonlySet<string>;

  /** @param interfaces those that have links. */
  constructor(interfaces: ReadonlySet<string>) {
    this.#interfaces = interfaces;
  }

  has(device: string): string | undefined {
    return this.#interfaces.has(device) ? undefined : `${device} has no link`;
  }

  addAddress(device: string, prefix: string, isReplacing: boolean): string | undefined {
    const own = this.addresses.get(device) ?? [];
    if (!prefix.includes("/")) return "an address needs a prefix length";
    if (parseAnyPrefix(prefix) === null) return `${prefix} is no address`;
    if (own.includes(prefix)) return isReplacing ? undefined : `${device} has the address ${prefix} already`;
    this.addresses.set(device, [...own, prefix]);
    return this.has(device);
  }

  flushAddresses(device: string): string | undefined {
    this.addresses.delete(device);
    this.routes = this.routes.filter(({ via }) => this.reaches(via));
    return this.has(device);
  }

  addRoute(to: string, via: string, how: "add" | "replace" | "append"): string | undefined {
    if (!isNetwork(to)) return `${to} is no network`;
    if (how === "replace") this.routes = this.routes.filter((each) => each.to !== to);
    // Linux joins appended routes of IPv6; of IPv4 ones it uses the first, which a router here does not.
    else if ((how === "add" || !to.includes(":")) && this.routes.some((each) => each.to === to))
      return `there is a route to ${to} already`;
    if (!this.reaches(via)) return `no address of the node is in the network of ${via}`;
    this.routes.push({ to, via });
    return undefined;
  }

  /** A route that is not there is the default route of the management network, which a lab does not have. */
  deleteRoute(to: string): string | undefined {
    const isThere = this.routes.some((each) => each.to === to);
    if (!isThere && to !== DEFAULT_4 && to !== DEFAULT_6) return `there is no route to ${to}`;
    this.routes = this.routes.filter((each) => each.to !== to);
    return undefined;
  }

  /** Whether an address is in the network of an interface; a link-local one is. */
  reaches(address: string): boolean {
    const given = parseAnyAddress(address);
    if (given === null) return false;
    if (/^fe80:/i.test(address)) return true;
    return [...this.addresses.values()].flat().some((text) => {
      const own = parseAnyPrefix(text);
      if (own === null) return false;
      if (isPrefix4(own)) return typeof given === "number" && contains4(own, given);
      return typeof given === "bigint" && contains6(own, given);
    });
  }
}

/** Whether a text is a prefix without bits after its length, which is what the kernel takes as the target of a route. */
export function isNetwork(text: string): boolean {
  const prefix = parseAnyPrefix(text);
  if (prefix === null) return false;
  const { prefixLength } = prefix;
  return isPrefix4(prefix)
    ? network4(prefix.address, prefixLength) === prefix.address
    : network6(prefix.address, prefixLength) === prefix.address;
}
