/**
 * The ARP table: who has which IPv4 address, for 120 s after the last ARP packet heard from it.
 *
 * Entries age by comparison with the clock, not by timers. An address that a packet for this PC tells anew takes its new
 * MAC at once (the reference keeps the old one until it ages out): a host that changed its card answers again.
 */
import type { Arp } from "../../../wire/arp.ts";
import { ARP_REPLY, ARP_REQUEST } from "../../../wire/arp.ts";
import { maskOf, sameSubnet } from "../../../wire/ipv4-address.ts";
import { isGroupMac } from "../../../wire/mac.ts";
import type { ArpEntry, PcState } from "../state.ts";

export const ARP_LIFE_US = 120_000_000;
export const ARP_TABLE_MAX = 32;

/** The entries that still count. */
export const liveArp = ({ arp }: PcState, nowUs: number): ArpEntry[] =>
  arp.filter(({ expiresUs }) => nowUs < expiresUs);

export const findArp = ({ arp }: PcState, ip: number, nowUs: number): number | undefined =>
  arp.find((entry) => entry.ip === ip && nowUs < entry.expiresUs)?.mac;

/** Learns from an ARP packet that came in, where it tells something; a full table learns no new address. */
export function learnArp(state: PcState, arp: Arp, nowUs: number): void {
  state.arp = liveArp(state, nowUs);
  const { senderIp: ip, senderMac: mac } = arp;
  const known = state.arp.find((entry) => entry.ip === ip);
  if (known?.mac === mac) known.expiresUs = nowUs + ARP_LIFE_US;
  else if (!teaches(state, arp)) return;
  else if (known) Object.assign(known, { mac, expiresUs: nowUs + ARP_LIFE_US });
  else if (state.arp.length < ARP_TABLE_MAX) state.arp.push({ ip, mac, expiresUs: nowUs + ARP_LIFE_US });
}

/** A request for this PC, or a reply to anybody in its subnet, from a host of its subnet. */
function teaches({ ipv4 }: PcState, { opcode, senderIp, senderMac, targetIp }: Arp): boolean {
  const mask = maskOf(ipv4.prefixLength);
  if (senderIp === 0 || senderIp === ipv4.address || isGroupMac(senderMac)) return false;
  if (!sameSubnet(senderIp, ipv4.address, mask)) return false;
  if (opcode === ARP_REPLY) return sameSubnet(targetIp, ipv4.address, mask);
  return opcode === ARP_REQUEST && ipv4.address !== 0 && targetIp === ipv4.address;
}
