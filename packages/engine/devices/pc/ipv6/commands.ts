/** The console commands for IPv6, except `ping6` and `trace6`, which have their own files. */

import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { eui64Of, formatIpv6, isLinkLocal, isMulticastIpv6, parseIpv6 } from "../../../wire/ipv6-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import type { Host, Script } from "../host.ts";
import { type Notes, once, pause } from "../notes.ts";
import { linkMtu6 } from "./link-mtu.ts";
import { learnRouter } from "./router.ts";
import { sendRouterSolicitation } from "./send.ts";

export { ping6 } from "./ping.ts";
export { trace6 } from "./trace.ts";

const DEFAULT_PREFIX_LENGTH = 64;
const ADDRESS_BITS = 128;
const LOOPBACK = 1n;
const ROUTER_ANSWER_US = 1_000_000;

/** The PC's number in VPCS: every simulated PC is the first. */
const NUMBER = 1;

/** `ip 2001:db8::1/64 [eui-64]`. @param words the words after `ip`: address, optional prefix length, optional `eui-64`. */
// biome-ignore lint/correctness/useYield: a script like any command, though it waits for nothing
export function* ip6Command(host: Host, words: readonly string[]): Script {
  const [text = "", ...rest] = words;
  const typed = parseIpv6(text);
  const eui64 = rest.includes("eui-64");
  if (typed === null) return host.world.print("Invalid ipv6 address.\n");
  const address = eui64 ? ((typed >> 64n) << 64n) | eui64Of(host.mac) : typed;
  if (!isForHost(address)) return host.world.print("Invalid ipv6 address.\n");
  const prefixLength = prefixLengthOf(rest[0]);
  host.state.ipv6.global = { address: formatIpv6(address), prefixLength, eui64 };
  sendRouterSolicitation(host);
  const ending = eui64 ? "eui-64" : "";
  host.world.print(`PC${NUMBER} : ${formatIpv6(address)}/${prefixLength} ${ending}\n`);
}

/** Rejects link-local addresses: the PC derives its own from the MAC. */
const isForHost = (address: bigint): boolean =>
  address !== 0n && address !== LOOPBACK && !isMulticastIpv6(address) && !isLinkLocal(address);

/** Returns the typed length, even one above 128; 64 if it is missing, 0, or not a number of up to three digits. */
function prefixLengthOf(word = ""): number {
  return (/^\d{1,3}$/.test(word) && Number(word)) || DEFAULT_PREFIX_LENGTH;
}

/** `ip auto`: sends one solicitation and waits a second for a router's answer. */
export function* autoCommand(host: Host, notes: Notes): Script {
  once(notes, "asked", () => {
    host.state.ipv6.auto = true;
    sendRouterSolicitation(host);
  });
  const answer = yield* pause(notes, "answer", {
    timeoutUs: ROUTER_ANSWER_US,
    accept: (packet) => packet.kind === "ipv6" && learnRouter(host, packet),
  });
  const { routerMac } = host.state.ipv6;
  if (answer === undefined || routerMac === undefined)
    return host.world.print("No router answered ICMPv6 Router Solicitation\n");
  host.world.print(`GLOBAL SCOPE      : ${globalScope(host)}\nROUTER LINK-LAYER : ${formatMac(routerMac)}\n`);
}

function globalScope({ state }: Host): string {
  const { global } = state.ipv6;
  return global ? `${global.address}/${global.prefixLength}` : "";
}

/** Prints the page of `show ipv6` after a blank line. */
export function showIpv6(host: Host): void {
  const { name, ipv6, settings } = host.state;
  const rows: [string, string][] = [
    ["NAME", `${name}[${NUMBER}]`],
    ["LINK-LOCAL SCOPE", `${formatIpv6(host.linkLocal)}/${DEFAULT_PREFIX_LENGTH}`],
    ["GLOBAL SCOPE", globalScope(host)],
    ["DNS", serversText(ipv6.dns)],
    ["ROUTER LINK-LAYER", ipv6.routerMac === undefined ? "" : formatMac(ipv6.routerMac)],
    ["MAC", formatMac(host.mac)],
    ["LPORT", String(settings.localPort)],
    ["RHOST:PORT", `${formatIpv4(settings.remoteHost)}:${settings.remotePort}`],
    ["MTU:", String(linkMtu6(host.state))],
  ];
  host.world.print(`\n${rows.map(([label, value]) => `${label.padEnd(18)}: ${value}\n`).join("")}`);
}

/** A space precedes the second server even if there is no first. */
const serversText = ([first, second]: readonly [string, string]): string =>
  first + (second === "" ? "" : ` ${second}`);

/** Prints a blank line, then the lines of `neighbor`, if any. */
export function showNeighbours({ world, state }: Host): void {
  const { neighbours } = state.ipv6;
  const lines = neighbours.map(({ address, mac }) => `${formatMac(mac)}   ${address}/${ADDRESS_BITS}\n`);
  world.print(`\n${lines.join("")}`);
}

export function clearNeighbours({ state }: Host): void {
  state.ipv6.neighbours = [];
}

export function clearIpv6({ world, state }: Host): void {
  state.ipv6.global = undefined;
  state.ipv6.routerMac = undefined;
  state.ipv6.auto = false;
  world.print("IPv6 address/mask and router link-layer address cleared\n");
}
