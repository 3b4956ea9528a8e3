import { ARP_REPLY, ARP_REQUEST, type Arp } from "@wirelab/engine/wire/arp";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ARP_LIFE_US,
  ARP_TABLE_MAX,
  findArp,
  learnArp,
  liveArp,
} from "../../../../../../packages/engine/devices/pc/stack/arp-table.ts";
import { A_IP, B_IP, B_MAC, FAR_IP, ip, stateOf } from "./bare-pc.ts";

const OTHER_MAC = 0x0200_0000_0001;
const C_IP = ip("10.0.0.3");

const arp = (changes: Partial<Arp>): Arp => ({
  opcode: ARP_REPLY,
  senderMac: B_MAC,
  senderIp: B_IP,
  targetMac: 0,
  targetIp: A_IP,
  ...changes,
});

/** The learned MAC of B after packets, all at time 0. */
function learnedFrom(...packets: readonly Arp[]): number | undefined {
  const state = stateOf(0);
  for (const packet of packets) learnArp(state, packet, 0);
  return findArp(state, packets[0]!.senderIp, 0);
}

describe("learning", () => {
  test.each([
    ["a request for the PC", arp({ opcode: ARP_REQUEST })],
    ["a reply to the PC", arp({})],
    ["a reply to another host of the subnet", arp({ targetIp: C_IP })],
    ["a gratuitous reply", arp({ targetIp: B_IP })],
  ])("the PC learns the sender of %s", (_title, packet) => {
    expect(learnedFrom(packet)).toBe(packet.senderMac);
  });

  test.each([
    ["a request for another host", arp({ opcode: ARP_REQUEST, targetIp: C_IP })],
    ["a gratuitous request", arp({ opcode: ARP_REQUEST, targetIp: B_IP })],
    ["a request from another subnet", arp({ opcode: ARP_REQUEST, senderIp: FAR_IP })],
    ["a reply from another subnet", arp({ senderIp: FAR_IP })],
    ["a reply to another subnet", arp({ targetIp: FAR_IP })],
    ["a probe without an address", arp({ opcode: ARP_REQUEST, senderIp: 0 })],
    ["a reply that claims the own address", arp({ senderIp: A_IP })],
    ["a reply whose MAC is a group", arp({ senderMac: BROADCAST_MAC })],
    ["an opcode of another protocol", arp({ opcode: 3 })],
  ])("the PC learns nothing from %s", (_title, packet) => {
    expect(learnedFrom(packet)).toBeUndefined();
  });

  test("a PC without an address learns from any reply, and from no request", () => {
    const state = stateOf(0);
    state.ipv4 = { address: 0, prefixLength: 0, gateway: 0 };
    learnArp(state, arp({ targetIp: 0 }), 0);
    learnArp(state, arp({ opcode: ARP_REQUEST, senderIp: C_IP, targetIp: 0 }), 0);
    expect(state.arp.map((entry) => entry.ip)).toEqual([B_IP]);
  });

  test("the PC learns a changed MAC only from the packets that it learns from", () => {
    const changed = { senderMac: OTHER_MAC };
    expect(learnedFrom(arp({}), arp(changed))).toBe(OTHER_MAC);
    expect(learnedFrom(arp({}), arp({ ...changed, opcode: ARP_REQUEST }))).toBe(OTHER_MAC);
    expect(learnedFrom(arp({}), arp({ ...changed, opcode: ARP_REQUEST, targetIp: B_IP }))).toBe(B_MAC);
    expect(learnedFrom(arp({}), arp({ ...changed, targetIp: FAR_IP }))).toBe(B_MAC);
  });
});

test("a sender without an address is not learned, even where 0.0.0.0 is in the subnet", () => {
  const state = stateOf(0);
  state.ipv4 = { address: 1, prefixLength: 24, gateway: 0 };
  learnArp(state, arp({ senderIp: 0, targetIp: 1 }), 0);
  learnArp(state, arp({ senderIp: 2, targetIp: 1 }), 0);
  expect(state.arp.map((entry) => entry.ip)).toEqual([2]);
});

describe("how entries age", () => {
  test("an entry is valid for exactly 120 s", () => {
    const state = stateOf(0);
    learnArp(state, arp({}), 5);
    expect(ARP_LIFE_US).toBe(120_000_000);
    expect(findArp(state, B_IP, 5 + ARP_LIFE_US - 1)).toBe(B_MAC);
    expect(findArp(state, B_IP, 5 + ARP_LIFE_US)).toBeUndefined();
    expect(liveArp(state, 5 + ARP_LIFE_US)).toEqual([]);
  });

  test("any ARP packet from the address and its MAC restarts the 120 s", () => {
    const state = stateOf(0);
    learnArp(state, arp({}), 0);
    learnArp(state, arp({ opcode: ARP_REQUEST, targetIp: C_IP }), 1000);
    expect(state.arp).toEqual([{ ip: B_IP, mac: B_MAC, expiresUs: 1000 + ARP_LIFE_US }]);
  });

  test("a packet that must not change the MAC does not lengthen the life of the old one", () => {
    const state = stateOf(0);
    learnArp(state, arp({}), 0);
    learnArp(state, arp({ opcode: ARP_REQUEST, targetIp: B_IP, senderMac: OTHER_MAC }), 1000);
    expect(state.arp).toEqual([{ ip: B_IP, mac: B_MAC, expiresUs: ARP_LIFE_US }]);
  });
});

describe("a full table", () => {
  function fullTable() {
    const state = stateOf(0);
    for (let host = 0; host < ARP_TABLE_MAX; host++)
      learnArp(state, arp({ senderIp: ip("10.0.0.100") + host, senderMac: OTHER_MAC + host * 256 }), host);
    return state;
  }

  test("evicts the entry heard from longest ago for a new address", () => {
    const state = fullTable();
    learnArp(state, arp({ senderIp: ip("10.0.0.100"), senderMac: OTHER_MAC }), 40);
    learnArp(state, arp({}), 41);
    expect(findArp(state, B_IP, 41)).toBe(B_MAC);
    expect(findArp(state, ip("10.0.0.101"), 41)).toBeUndefined();
    expect(findArp(state, ip("10.0.0.100"), 41)).toBe(OTHER_MAC);
    expect(state.arp).toHaveLength(32);
  });

  test("still corrects an old one", () => {
    const state = fullTable();
    learnArp(state, arp({ senderIp: ip("10.0.0.100") }), 40);
    expect(findArp(state, ip("10.0.0.100"), 40)).toBe(B_MAC);
  });

  test("has room again when the first entry has aged", () => {
    const state = fullTable();
    learnArp(state, arp({}), ARP_LIFE_US);
    expect(findArp(state, B_IP, ARP_LIFE_US)).toBe(B_MAC);
    expect(state.arp).toHaveLength(32);
  });
});

test("after any packets, addresses are unique, in the subnet, and at most 32", () => {
  const anyArp = fc.record({
    opcode: fc.constantFrom(ARP_REQUEST, ARP_REPLY, 9),
    senderMac: fc.constantFrom(B_MAC, OTHER_MAC, BROADCAST_MAC),
    senderIp: fc.oneof(fc.integer({ min: A_IP - 1, max: A_IP + 60 }), fc.constantFrom(0, FAR_IP)),
    targetMac: fc.constant(0),
    targetIp: fc.constantFrom(A_IP, C_IP, FAR_IP),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(anyArp, fc.nat(5_000_000)), { maxLength: 200 }), (heard) => {
      const state = stateOf(0);
      let nowUs = 0;
      for (const [packet, laterUs] of heard) {
        nowUs += laterUs;
        learnArp(state, packet, nowUs);
        const addresses = state.arp.map((entry) => entry.ip);
        expect(new Set(addresses).size).toBe(addresses.length);
        expect(addresses.length).toBeLessThanOrEqual(32);
        expect(addresses.every((each) => each >>> 8 === A_IP >>> 8 && each !== A_IP)).toBe(true);
      }
    }),
  );
});
