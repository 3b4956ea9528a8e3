/** The simulated device that stands for a Linux host: a PC if that has all, else a router, if that has. */
import type { LinuxConfig } from "./linux-config.ts";

const DEFAULT = "0.0.0.0/0";

/** Whether a PC can stand for a host with so many links: its only route is the default one. A PC learns its IPv6 gateway from the router. */
export const isHost = ({ routes }: LinuxConfig, links: number): boolean =>
  links <= 1 && (routes.length === 0 || (routes.length === 1 && routes[0]!.to === DEFAULT));

/** A router with one port is a host with routes that a PC cannot have. */
export const standsForHost = ({ type, ports }: Readonly<Record<string, unknown>>): boolean =>
  type === "router" && Array.isArray(ports) && ports.length === 1;

export function toPc({ addresses, routes, leased, mtus }: LinuxConfig): object {
  const [mtu] = mtus.values();
  const ip = leased.size > 0 ? ["dhcp"] : [...addresses.values()].flat();
  return {
    type: "pc",
    ...(ip.length > 0 && { ip }),
    ...(routes[0] && { gateway: routes[0].via }),
    ...(mtu !== undefined && { commands: `set mtu ${mtu}` }),
  };
}

/** @param ports the names of its interfaces. */
export const toRouter = ({ addresses, routes, mtus }: LinuxConfig, ports: readonly string[]) => ({
  type: "router",
  ports: ports.map((name) => {
    const own = addresses.get(name) ?? [];
    const ipv4 = own.find((address) => !address.includes(":"));
    const ipv6 = own.find((address) => address.includes(":"));
    const mtu = mtus.get(name);
    return { name, ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }), ...(mtu !== undefined && { mtu }) };
  }),
  routes: routes.map(({ to, via }) => ({ to, via })),
});

/** @returns why neither has what the host has, or undefined. */
export function notSimulated(config: LinuxConfig, links: number): string | undefined {
  const { addresses, leased, routes, isForwarding } = config;
  if (isHost(config, links))
    return leased.size > 0 && (addresses.size > 0 || routes.length > 0)
      ? "it has addresses beside the addresses of its DHCP client"
      : undefined;
  if (leased.size > 0) return "it has several links or routes, and a DHCP client";
  if (links > 1 && !isForwarding) return "it has several links and does not forward";
  for (const [name, own] of addresses) {
    const more =
      own.filter((address) => !address.includes(":"))[1] ?? own.filter((address) => address.includes(":"))[1];
    if (more !== undefined) return `${name} has a second address, ${more}`;
  }
  return undefined;
}
