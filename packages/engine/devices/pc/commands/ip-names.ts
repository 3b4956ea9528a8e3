/** `ip dns`, `ip dns6` and `ip domain`: they print errors only. */
import { formatIpv6, parseIpv6 } from "../../../wire/ipv6-address.ts";
import type { Host } from "../host.ts";
import { parseShortIpv4 } from "./short-ipv4.ts";

const DOMAIN_MAX_CHARACTERS = 64;

const SERVERS_MAX = 2;

/** One address leaves the second server unchanged; 0 clears a server; more than two words change nothing. @returns the output. */
export function setServers({ state }: Host, texts: readonly string[]): string {
  if (texts.length > SERVERS_MAX) return "";
  const addresses = texts.map((text) => (text === "0" ? 0 : parseShortIpv4(text) || null));
  const wrong = addresses.indexOf(null);
  if (wrong !== -1) return texts.length === 1 ? "Invalid address\n" : `Invalid address: ${texts[wrong]}\n`;
  state.dns = [addresses[0] ?? state.dns[0], addresses[1] ?? state.dns[1]];
  return "";
}

/** Same rules as `setServers`. */
export function setServers6({ state }: Host, words: readonly string[]): string {
  if (words.length > SERVERS_MAX) return "";
  const texts = words.map(serverText6);
  const wrong = texts.indexOf(null);
  if (wrong !== -1) return `Invalid address: ${words[wrong]}\n`;
  state.ipv6.dns = [texts[0] ?? state.ipv6.dns[0], texts[1] ?? state.ipv6.dns[1]];
  return "";
}

/** Returns an empty text for "no server", and null for text that is not an address. */
function serverText6(word: string): string | null {
  const address = word === "0" ? 0n : parseIpv6(word);
  if (address === null) return null;
  return address === 0n ? "" : formatIpv6(address);
}

/** Strips dots from both ends; a dot alone changes nothing. @returns the output. */
export function setDomain({ state }: Host, [word, ...more]: readonly string[]): string {
  if (word === undefined || more.length > 0) return "Incomplete command.\n";
  if (word.includes("..") || word.length > DOMAIN_MAX_CHARACTERS) return "Invalid domain name.\n";
  state.domain = word.replace(/^\./, "").replace(/\.$/, "") || state.domain;
  return "";
}
