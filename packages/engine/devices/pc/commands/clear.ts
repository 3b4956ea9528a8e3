/** `clear WHAT`. */
import type { Host } from "../host.ts";
import { clearIpv6, clearNeighbours } from "../ipv6/commands.ts";
import { helpPage } from "./help.ts";
import type { Invocation } from "./invocation.ts";
import { keywordOf } from "./keyword.ts";

/** In order of preference: a prefix selects its first match, so `clear i` clears IPv6. */
const TARGETS = ["arp", "ipv6", "ip", "neighbor", "hist", "mtu"] as const;

export function clear({ host, words }: Invocation): string {
  const [, word] = words;
  if (word === undefined) return helpPage("clear");
  switch (keywordOf(word, TARGETS)) {
    case "arp":
      host.state.arp = [];
      return "";
    case "ip":
      return clearIp(host);
    case "ipv6":
      clearIpv6(host);
      return "";
    case "neighbor":
      clearNeighbours(host);
      return "";
    case "mtu":
      host.state.pathMtus = undefined;
      return "";
    case "hist":
      host.state.history = [];
      return "";
    default:
      return "Invalid options\n";
  }
}

/** Keeps the MAC, the name and the MTU. */
function clearIp({ state }: Host): string {
  state.ipv4 = { address: 0, prefixLength: 0, gateway: 0 };
  state.dns = [0, 0];
  state.domain = "";
  state.lease = undefined;
  return "IPv4 address/mask, gateway, DNS, and DHCP cleared\n";
}
