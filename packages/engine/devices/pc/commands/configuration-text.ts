/** A PC's configuration as the commands that restore it. */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { DEFAULT_MTU_BYTES, type PcState } from "../state.ts";

/** Returns lines that end with `\n`, none for unset values. Omits a lease's name server and domain: the next lease sets them. */
export function configurationText(state: PcState): string {
  const isLeased = state.lease !== undefined && state.lease.leaseSeconds > 0;
  const lines = [
    `set pcname ${quoted(state.name)}`,
    ...(isLeased ? ["dhcp"] : ipv4Lines(state)),
    ...ipv6Lines(state),
    ...(isLeased ? [] : nameLines(state)),
    ...serverLines("dns6", state.ipv6.dns),
    ...(state.mtuBytes === DEFAULT_MTU_BYTES ? [] : [`set mtu ${state.mtuBytes}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const quoted = (name: string): string => (/[\s/=]/.test(name) ? `"${name}"` : name);

function ipv4Lines({ ipv4: { address, prefixLength, gateway } }: PcState): string[] {
  if (address === 0) return [];
  const words = [formatIpv4(address), ...(gateway === 0 ? [] : [formatIpv4(gateway)]), prefixLength];
  return [`ip ${words.join(" ")}`];
}

function ipv6Lines({ ipv6: { global, auto } }: PcState): string[] {
  const ending = global?.eui64 ? " eui-64" : "";
  const lines = global === undefined ? [] : [`ip ${global.address}/${global.prefixLength}${ending}`];
  return auto ? [...lines, "ip auto"] : lines;
}

function nameLines({ domain, dns }: PcState): string[] {
  const servers = dns.map((server) => (server === 0 ? "" : formatIpv4(server)));
  return [...(domain === "" ? [] : [`ip domain ${domain}`]), ...serverLines("dns", servers)];
}

function serverLines(keyword: string, servers: readonly string[]): string[] {
  const [first, second] = servers;
  if (!first && !second) return [];
  return [`ip ${keyword} ${first || "0"}${second ? ` ${second}` : ""}`];
}
