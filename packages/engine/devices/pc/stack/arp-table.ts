/**
 * The ARP table: the MAC of each IPv4 address, for 120 s after its last ARP packet.
 *
 * Entries age by comparison with the clock, not by timers. A packet for this PC replaces the MAC of its sender at once (VPCS
 * keeps the old one until it ages out), so that a host with a new card is reached again.
 */
import type { Arp } from "../../../wire/arp.ts";
import { ARP_REPLY, ARP_REQUEST } from "../../../wire/arp.ts";
import { maskOf, sameSubnet } from "../../../wire/ipv4-address.ts";
import { isGroupMac } from "../../../wire/mac.ts";
import type { ArpEntry, PcState } from "../state.ts";

export const ARP_LIFE_US = 120_000_000;
export const ARP_TABLE_MAX = 32;

/** Returns the entries that have not expired. */
export const liveArp = ({ arp }: PcState, nowUs: number): ArpEntry[] =>
  arp.filter(({ expiresUs }) => nowUs < expiresUs);

export const findArp = ({ arp }: PcState, ip: number, nowUs: number): number | undefined =>
  arp.find((entry) => entry.ip === ip && nowUs < entry.expiresUs)?.mac;

/** Learns the sender of an ARP packet that passes `teaches`. A full table evicts the least recently heard entry. */
export function learnArp(state: PcState, arp: Arp, nowUs: number): void {
  state.arp = liveArp(state, nowUs);
  const { senderIp: ip, senderMac: mac } = arp;
  const known = state.arp.find((entry) => entry.ip === ip);
  if (known?.mac === mac) known.expiresUs = nowUs + ARP_LIFE_US;
  else if (!teaches(state, arp)) return;
  else if (known) Object.assign(known, { mac, expiresUs: nowUs + ARP_LIFE_US });
  else {
    if (state.arp.length >= ARP_TABLE_MAX) evictOldest(state);
    state.arp.push({ ip, mac, expiresUs: nowUs + ARP_LIFE_US });
  }
}

function evictOldest(state: PcState): void {
  const oldest = state.arp.reduce((one, other) => (other.expiresUs < one.expiresUs ? other : one));
  state.arp = state.arp.filter((entry) => entry !== oldest);
}

/** Whether an ARP packet is a request for this PC or a reply to any host in its subnet, from a host in its subnet. */
function teaches({ ipv4 }: PcState, { opcode, senderIp, senderMac, targetIp }: Arp): boolean {
  const mask = maskOf(ipv4.prefixLength);
  if (senderIp === 0 || senderIp === ipv4.address || isGroupMac(senderMac)) return false;
  if (!sameSubnet(senderIp, ipv4.address, mask)) return false;
  if (opcode === ARP_REPLY) return sameSubnet(targetIp, ipv4.address, mask);
  return opcode === ARP_REQUEST && ipv4.address !== 0 && targetIp === ipv4.address;
}
