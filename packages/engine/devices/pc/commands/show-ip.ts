/** `show ip [all]`, and the columns it shares with `show`. */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import type { Host } from "../host.ts";
import type { PcState } from "../state.ts";

/** Column widths in characters, without the last column. */
const WIDTHS = [7, 21, 18, 19, 7];
const LABEL_COLUMNS = 12;

/** Formats one table row; a text that is too long for its column is followed by one space. */
export function columns(...texts: readonly string[]): string {
  const padded = texts.map((text, index) => {
    const isLast = index === texts.length - 1;
    return isLast ? text : `${text.padEnd((WIDTHS[index] ?? 0) - 1)} `;
  });
  return padded.join("");
}

/** NAME, IP/MASK, GATEWAY and MAC. */
export const interfaceColumns = ({ state, mac }: Host, name: string): string[] => [
  name,
  addressText(state),
  formatIpv4(state.ipv4.gateway),
  formatMac(mac),
];

const addressText = ({ ipv4 }: PcState): string => `${formatIpv4(ipv4.address)}/${ipv4.prefixLength}`;

/** The gap follows the first server even if there is no second. */
function serversText({ dns: [first, second] }: PcState, gap: string): string {
  const texts = [first === 0 ? "" : formatIpv4(first) + gap, second === 0 ? "" : formatIpv4(second)];
  return texts.join("");
}

/** @param listedName the PC's name in tables. */
export const ipText = (host: Host, listedName: string, isTable: boolean): string =>
  isTable ? table(host, listedName) : page(host);

const table = (host: Host, listedName: string): string => `
${columns("NAME", "IP/MASK", "GATEWAY", "MAC", "DNS")}
${columns(...interfaceColumns(host, listedName), serversText(host.state, " ").trimEnd())}
`;

function page(host: Host): string {
  const { state, mac } = host;
  const { ipv4, settings, mtuBytes } = state;
  const rows: [string, string][] = [
    ["NAME", `${state.name}[1]`],
    ["IP/MASK", addressText(state)],
    ["GATEWAY", formatIpv4(ipv4.gateway)],
    ["DNS", serversText(state, "  ")],
    ...leaseRows(host),
    ...(state.domain === "" ? [] : [["DOMAIN NAME", state.domain] as [string, string]]),
    ["MAC", formatMac(mac)],
    ["LPORT", String(settings.localPort)],
    ["RHOST:PORT", `${formatIpv4(settings.remoteHost)}:${settings.remotePort}`],
    ["MTU", String(mtuBytes)],
  ];
  return `\n${rows.map(([label, value]) => `${label.padEnd(LABEL_COLUMNS)}: ${value}\n`).join("")}`;
}

/** Lists seconds left, then the seconds of the whole lease, until renewal and until rebinding. */
function leaseRows({ state: { lease }, world }: Host): [string, string][] {
  if (lease === undefined) return [];
  const passedSeconds = Math.floor((world.nowUs - lease.obtainedUs) / 1_000_000);
  const leftSeconds = Math.max(0, lease.leaseSeconds - passedSeconds);
  return [
    ["DHCP SERVER", formatIpv4(lease.server)],
    ["DHCP LEASE", `${leftSeconds}, ${lease.leaseSeconds}/${lease.renewSeconds}/${lease.rebindSeconds}`],
  ];
}
