/** `ip dns`, `ip dns6` and `ip domain`: silent when all is well. */
import { formatIpv6, parseIpv6 } from "../../../wire/ipv6-address.ts";
import type { Host } from "../host.ts";
import { parseShortIpv4 } from "./short-ipv4.ts";

const DOMAIN_MAX_CHARACTERS = 64;

/** With one address the second server stays; 0 clears. @returns what is printed. */
export function setServers({ state }: Host, words: readonly string[]): string {
  const texts = words.slice(0, 2);
  const addresses = texts.map(parseShortIpv4);
  const wrong = addresses.indexOf(null);
  if (wrong !== -1) return texts.length === 1 ? "Invalid address\n" : `Invalid address: ${texts[wrong]}\n`;
  state.dns = [addresses[0] ?? state.dns[0], addresses[1] ?? state.dns[1]];
  return "";
}

/** Likewise. */
export function setServers6({ state }: Host, words: readonly string[]): string {
  const texts = words.slice(0, 2).map(serverText6);
  const wrong = texts.indexOf(null);
  if (wrong !== -1) return `Invalid address: ${words[wrong]}\n`;
  state.ipv6.dns = [texts[0] ?? state.ipv6.dns[0], texts[1] ?? state.ipv6.dns[1]];
  return "";
}

/** Empty for none; null for what is no address. */
function serverText6(word: string): string | null {
  const address = word === "0" ? 0n : parseIpv6(word);
  if (address === null) return null;
  return address === 0n ? "" : formatIpv6(address);
}

/** Dots at its ends do not count. @returns what is printed. */
export function setDomain({ state }: Host, [word]: readonly string[]): string {
  if (word === undefined) return "Incomplete command.\n";
  const domain = word.replace(/^\.+/, "").replace(/\.+$/, "");
  if (domain.includes("..") || domain.length > DOMAIN_MAX_CHARACTERS) return "Invalid domain name.\n";
  state.domain = domain;
  return "";
}
