/** `show [WHAT]`: all output except errors and the history follows a blank line. */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import type { Host } from "../host.ts";
import { showIpv6 } from "../ipv6/commands.ts";
import { liveArp } from "../stack/arp-table.ts";
import type { PcState } from "../state.ts";
import { helpPage } from "./help.ts";
import { historyText } from "./history.ts";
import type { Invocation } from "./invocation.ts";
import { keywordOf } from "./keyword.ts";
import { dumpFlags, dumpText } from "./set-dump.ts";
import { echoText } from "./set-echo.ts";
import { columns, interfaceColumns, ipText } from "./show-ip.ts";
import { mtuTable } from "./show-mtu.ts";
import { versionText } from "./version.ts";

/** In order of preference: a prefix selects its first match, so `show i` shows IPv6. `show mtu` is an exact match. */
const TOPICS = ["arp", "dump", "echo", "help", "history", "ipv6", "ip", "mtu6", "mtu", "version"] as const;
const LINK_LOCAL_PREFIX_LENGTH = 64;
const ADDRESS_COLUMN = 7;
/** A VPCS process holds several PCs; a simulated PC is always the first. */
const PC_NUMBER = 1;

export function show({ host, words }: Invocation): string {
  const [, word, ...rest] = words;
  if (word === undefined) return summaryText(host);
  const which = onlyOne(rest);
  switch (keywordOf(word, TOPICS)) {
    case "arp":
      return arpText(host, which);
    case "dump":
      return showDump(host, which);
    case "help":
      return helpPage("show");
    case "echo":
      return echoText(host.state);
    case "history":
      return historyText(host.state);
    case "ip":
      if (rest.length > 1) return helpPage("show");
      return isPc(which) ? ipText(host, listedName(host.state), which === "all") : helpPage("show", "ip");
    case "ipv6":
      if (rest.length > 1) return helpPage("show");
      if (!isPc(which)) return helpPage("show", "ipv6");
      showIpv6(host);
      return "";
    case "mtu6":
      return mtuText(host, which, "ipv6");
    case "mtu":
      return mtuText(host, which, "both");
    case "version":
      return versionText();
    default:
      return "Invalid arguments\n";
  }
}

/** Whether a word selects this PC: no word, `all`, or any digit from 1 to 9. */
const isPc = (word: string | undefined): boolean =>
  word === undefined || word === "all" || /^[1-9]$/.test(word);

/** Returns the only word; undefined for several words, which VPCS's tables ignore. */
const onlyOne = (words: readonly string[]): string | undefined => (words.length === 1 ? words[0] : undefined);

/** `arp ...` is short for `show arp ...`. */
export const arp = ({ host, words }: Invocation): string => arpText(host, onlyOne(words.slice(1)));

function summaryText(host: Host): string {
  const { settings } = host.state;
  const rows = [
    columns("NAME", "IP/MASK", "GATEWAY", "MAC", "LPORT", "RHOST:PORT"),
    columns(
      ...interfaceColumns(host, listedName(host.state)),
      String(settings.localPort),
      `${formatIpv4(settings.remoteHost)}:${settings.remotePort}`,
    ),
    ...ipv6Addresses(host).map((address) => " ".repeat(ADDRESS_COLUMN) + address),
  ];
  return `\n${rows.map((row) => `${row}\n`).join("")}`;
}

/** Lists a PC that has the default name with its number, as VPCS does. */
const listedName = ({ name }: PcState): string => (name === "VPCS" ? `${name}${PC_NUMBER}` : name);

function ipv6Addresses({ linkLocal, state }: Host): string[] {
  const { global } = state.ipv6;
  const own = `${formatIpv6(linkLocal)}/${LINK_LOCAL_PREFIX_LENGTH}`;
  if (global === undefined) return [own];
  return [own, `${global.address}/${global.prefixLength} ${global.eui64 ? "eui-64" : ""}`];
}

function arpText({ state, world }: Host, which: string | undefined): string {
  if (!isPc(which)) return "\nInvalid ID\n";
  const entries = liveArp(state, world.nowUs).map(({ ip, mac, expiresUs }) => {
    const seconds = Math.ceil((expiresUs - world.nowUs) / 1_000_000);
    return `${formatMac(mac)}  ${formatIpv4(ip)} expires in ${seconds} seconds \n`;
  });
  const title = which === "all" ? `${state.name}[${PC_NUMBER}]:\n` : "";
  return `\n${title}${entries.join("") || "arp table is empty\n"}`;
}

/** A number prints nothing, as in VPCS. */
function showDump({ state }: Host, which: string | undefined): string {
  if (which === undefined) return dumpText(state);
  if (which === "all") return `\n${state.name}[${PC_NUMBER}] dumpflag: ${dumpFlags(state)}\n`;
  return /^\d$/.test(which) ? "\n" : helpPage("show", "dump");
}

function mtuText(host: Host, which: string | undefined, families: "ipv6" | "both"): string {
  if (!isPc(which)) return "\nInvalid ID\n";
  const title = which === "all" ? `${host.state.name}[${PC_NUMBER}]:\n` : "";
  const empty = families === "ipv6" ? "IPV6 MTU table is empty\n" : "MTU table is empty\n";
  return `\n${title}${mtuTable(host, families) || empty}`;
}
