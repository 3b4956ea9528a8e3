/** The DHCPv6 server of a port: RFC 8415, section 18.3. */

import { formatIpv6, linkLocalOf } from "@wirelab/engine/wire/ipv6-address";
import { ipv6MulticastMac } from "@wirelab/engine/wire/mac";
import { decodeUdp, encodeUdp } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import type { RouterState } from "../../../../../../packages/engine/devices/router/shell/state.ts";
import {
  addressOption6,
  type Dhcpv6,
  decodeDhcpv6,
  decodeIaNa,
  encodeDhcpv6,
  encodeIaNa,
  OPTION6_CLIENT_ID,
  OPTION6_IA_NA,
  OPTION6_SERVER_ID,
  OPTION6_STATUS,
  type Option6,
  option6,
} from "../../../../../../packages/engine/wire/dhcpv6.ts";
import { type Bed, ip6, MAC_A, makeBed, ROUTER_MAC, say } from "../probe.ts";

const POOL = {
  first: "2001:db8:1::100",
  last: "2001:db8:1::101",
  lease_seconds: 1_000,
  dns: ["2001:db8::53"],
  domain: "home.example",
  reservations: [{ mac: "02:00:00:00:00:77", address: "2001:db8:1::77" }],
};
const PORTS = [{ ipv6: "2001:db8:1::1/64" }, { ipv6: "2001:db8:2::1/64" }];
const makeDhcpBed = (pool: object = POOL, state?: RouterState): Bed =>
  makeBed({ ports: PORTS, dhcpv6: { Ethernet0: pool } }, state);

const GROUP = ip6("ff02::1:2");
/** DUID-LL of a station. */
const duid = (last: number): Uint8Array => Uint8Array.of(0, 3, 0, 1, 2, 0, 0, 0, 0, last);
const SERVER = Uint8Array.of(0, 3, 0, 1, 2, 0, 0, 0, 1, 0);
const [SOLICIT, ADVERTISE, REQUEST, CONFIRM, RENEW, REBIND, REPLY, RELEASE, DECLINE, INFORM] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 11,
];
const client = (last = 0x0a): Option6 => [OPTION6_CLIENT_ID, duid(last)];
const server: Option6 = [OPTION6_SERVER_ID, SERVER];
const ia = (...addresses: string[]): Option6 => [
  OPTION6_IA_NA,
  encodeIaNa(
    5,
    0,
    addresses.map((each) => addressOption6(ip6(each), 0)),
  ),
];

interface Options {
  readonly target?: bigint;
  readonly source?: bigint;
}

/** @returns the reply, if there is one. */
function send(bed: Bed, type: number, options: readonly Option6[], where: Options = {}): Dhcpv6 | undefined {
  const before = bed.a.received.length;
  const data = encodeDhcpv6({ type, transaction: 0xabcdef, options });
  return sendBytes(bed, data, where, before);
}

function sendBytes(
  bed: Bed,
  data: Uint8Array,
  { target = GROUP, source = linkLocalOf(MAC_A) }: Options,
  before: number,
) {
  const udp = encodeUdp({ sourcePort: 546, targetPort: 547, data }, 0);
  bed.a.send6(
    target === GROUP ? ipv6MulticastMac(target) : ROUTER_MAC,
    { source, target, nextHeader: 17 },
    udp,
  );
  bed.bench.run();
  const [reply, ...more] = bed.a.received.slice(before).flatMap((frame) => {
    const isUdp = frame[12] === 0x86 && frame[20] === 17;
    return isUdp ? [decodeUdp(frame.subarray(54))!] : [];
  });
  expect(more).toEqual([]);
  if (reply === undefined) return undefined;
  expect([reply.sourcePort, reply.targetPort]).toEqual([547, 546]);
  return decodeDhcpv6(reply.data)!;
}

const addressIn = (reply: Dhcpv6 | undefined): string[] | undefined => {
  const value = reply && option6(reply, OPTION6_IA_NA);
  return value && decodeIaNa(value)!.addresses.map(formatIpv6);
};
/** The status in the reply, or in its IA_NA. */
function statusIn(reply: Dhcpv6 | undefined): number | undefined {
  const own = reply && option6(reply, OPTION6_STATUS);
  if (own) return own[1];
  const value = reply && option6(reply, OPTION6_IA_NA);
  return value && value.length > 12 && value[13] === 13 ? value[17] : undefined;
}
/** T1 and T2. */
const times = (reply: Dhcpv6 | undefined): number[] => {
  const value = option6(reply!, OPTION6_IA_NA)!;
  const view = new DataView(value.buffer, value.byteOffset);
  return [view.getUint32(4), view.getUint32(8)];
};

describe("a client with an interface", () => {
  it("is offered an address, gets it, and keeps it", () => {
    const bed = makeDhcpBed();
    const offer = send(bed, SOLICIT, [client(), ia()]);
    expect([offer!.type, offer!.transaction, addressIn(offer)]).toEqual([
      ADVERTISE,
      0xabcdef,
      ["2001:db8:1::100"],
    ]);
    expect([...option6(offer!, OPTION6_SERVER_ID)!]).toEqual([...SERVER]);
    expect(bed.router.saveState()).not.toHaveProperty("services");
    const reply = send(bed, REQUEST, [client(), server, ia("2001:db8:1::100")]);
    expect([reply!.type, addressIn(reply), times(reply)]).toEqual([REPLY, ["2001:db8:1::100"], [500, 800]]);
    expect(addressIn(send(bed, SOLICIT, [client(), ia()]))).toEqual(["2001:db8:1::100"]);
    expect(addressIn(send(bed, RENEW, [client(), server, ia("2001:db8:1::100")]))).toEqual([
      "2001:db8:1::100",
    ]);
    expect(say(bed, "show dhcpv6").at(-1)).toMatch(
      /^2001:db8:1::100 +00030001020000 ?00000a +5 +leased +1000 s$/,
    );
  });

  it("gets the address that it asks for, if it is free", () => {
    expect(addressIn(send(makeDhcpBed(), SOLICIT, [client(), ia("2001:db8:1::101")]))).toEqual([
      "2001:db8:1::101",
    ]);
    expect(addressIn(send(makeDhcpBed(), SOLICIT, [client(), ia("2001:db8:9::1")]))).toEqual([
      "2001:db8:1::100",
    ]);
  });

  it("gets its reservation, which no other client gets", () => {
    const bed = makeDhcpBed({ ...POOL, first: "2001:db8:1::77", last: "2001:db8:1::77" });
    expect(statusIn(send(bed, SOLICIT, [client(), ia()]))).toBe(2);
    expect(addressIn(send(bed, SOLICIT, [client(0x77), ia()]))).toEqual(["2001:db8:1::77"]);
  });

  it("gets a reply at once if it wants a rapid commit", () => {
    const bed = makeDhcpBed();
    const reply = send(bed, SOLICIT, [client(), [14, new Uint8Array()], ia()]);
    expect([reply!.type, option6(reply!, 14)?.length, addressIn(reply)]).toEqual([
      REPLY,
      0,
      ["2001:db8:1::100"],
    ]);
    expect(bed.router.saveState().services!.dhcpv6!.leases).toHaveLength(1);
  });

  it("gets nothing when all addresses are leased, and one when a lease is over", () => {
    const bed = makeDhcpBed();
    for (const last of [1, 2]) send(bed, REQUEST, [client(last), server, ia()]);
    expect(statusIn(send(bed, REQUEST, [client(3), server, ia()]))).toBe(2);
    bed.bench.run(bed.bench.nowUs + 1_001e6);
    expect(addressIn(send(bed, REQUEST, [client(3), server, ia()]))).toEqual(["2001:db8:1::100"]);
  });

  it("gives its address back", () => {
    const bed = makeDhcpBed();
    send(bed, REQUEST, [client(), server, ia()]);
    expect(statusIn(send(bed, RELEASE, [client(), server, ia("2001:db8:1::100")]))).toBe(0);
    expect(say(bed, "show dhcpv6").at(-1)).toMatch(/over +0 s$/);
    expect(addressIn(send(bed, REQUEST, [client(9), server, ia()]))).toEqual(["2001:db8:1::100"]);
  });

  it("that finds another host with its address gets the next one; the address is not leased for an hour", () => {
    const bed = makeDhcpBed();
    send(bed, REQUEST, [client(), server, ia()]);
    expect(statusIn(send(bed, DECLINE, [client(), server, ia("2001:db8:1::100")]))).toBe(0);
    expect(say(bed, "show dhcpv6").at(-1)).toMatch(/^2001:db8:1::100 +- +5 +in use +3600 s$/);
    expect(addressIn(send(bed, SOLICIT, [client(), ia()]))).toEqual(["2001:db8:1::101"]);
    bed.bench.run(bed.bench.nowUs + 3_601e6);
    expect(addressIn(send(bed, SOLICIT, [client(9), ia()]))).toEqual(["2001:db8:1::100"]);
  });

  it("without a lease gets a status for a release, of no binding", () => {
    const reply = send(makeDhcpBed(), RELEASE, [client(), server, ia("2001:db8:1::100")]);
    expect([statusIn(reply), option6(reply!, OPTION6_IA_NA)![17]]).toEqual([0, 3]);
  });

  it("keeps its address after a restart of the router, and loses one that is not of the pool", () => {
    expect(addressIn(send(makeDhcpBed(), RENEW, [client(), server, ia("2001:db8:1::101")]))).toEqual([
      "2001:db8:1::101",
    ]);
    const reply = send(makeDhcpBed(), REBIND, [client(), ia("2001:db8:9::1")]);
    expect(addressIn(reply)).toEqual(["2001:db8:1::100", "2001:db8:9::1"]);
    const value = option6(reply!, OPTION6_IA_NA)!;
    // The valid life of the second address.
    expect([...value.subarray(-4)]).toEqual([0, 0, 0, 0]);
  });

  it.each([
    ["2001:db8:1::9", 0],
    ["2001:db8:9::1", 4],
  ])("that asks whether %s belongs to the link gets status %i", (address, status) => {
    expect(statusIn(send(makeDhcpBed(), CONFIRM, [client(), ia(address)]))).toBe(status);
  });

  it("gets no prefix", () => {
    const reply = send(makeDhcpBed(), SOLICIT, [client(), [25, encodeIaNa(6, 0, [])]]);
    expect([...option6(reply!, 25)!.subarray(0, 4), option6(reply!, 25)![17]]).toEqual([0, 0, 0, 6, 6]);
  });

  it("is asked to use multicast", () => {
    const where = { target: linkLocalOf(ROUTER_MAC) };
    expect(statusIn(send(makeDhcpBed(), REQUEST, [client(), server, ia()], where))).toBe(5);
  });
});

describe("names", () => {
  const DNS = [...new Uint8Array(14), 0x53].length;
  it("are given to a client that asks for them only, and to one without an identifier", () => {
    const bed = makeDhcpBed({ dns: POOL.dns, domain: POOL.domain });
    const reply = send(bed, INFORM, []);
    expect([reply!.type, option6(reply!, 23)?.length, option6(reply!, 24)?.length]).toEqual([REPLY, 16, 14]);
    expect(option6(reply!, OPTION6_CLIENT_ID)).toBeUndefined();
    expect(DNS).toBe(15);
    expect(say(bed, "show dhcpv6")).toEqual(["Ethernet0: no addresses", "No leases"]);
  });

  it("are those of the client's list of options", () => {
    const reply = send(makeDhcpBed(), INFORM, [client(), [6, Uint8Array.of(0, 24, 0, 99)]]);
    expect([option6(reply!, 23), option6(reply!, 24)?.length]).toEqual([undefined, 14]);
  });

  it("come without an address if the port leases none", () => {
    const bed = makeDhcpBed({ dns: POOL.dns });
    const reply = send(bed, SOLICIT, [client(), ia()]);
    expect([statusIn(reply), option6(reply!, 23)?.length]).toEqual([2, 16]);
  });
});

describe("a message is dropped", () => {
  it.each<[string, number, readonly Option6[], Options?]>([
    ["without the client's identifier", SOLICIT, [ia()]],
    ["with an empty identifier", SOLICIT, [[OPTION6_CLIENT_ID, new Uint8Array()]]],
    ["to one server without its identifier", REQUEST, [client(), ia()]],
    ["to another server", REQUEST, [client(), [OPTION6_SERVER_ID, duid(9)], ia()]],
    ["to all servers with an identifier of one", SOLICIT, [client(), server]],
    ["that asks another server for names", INFORM, [[OPTION6_SERVER_ID, duid(9)]]],
    ["with an IA_NA that is too short", SOLICIT, [client(), [OPTION6_IA_NA, new Uint8Array(11)]]],
    ["with an address that is cut off", SOLICIT, [client(), [OPTION6_IA_NA, new Uint8Array(14)]]],
    ["of a server", ADVERTISE, [client(), server]],
    ["from a global address", SOLICIT, [client(), ia()], { source: ip6("2001:db8:1::10") }],
  ])("%s", (_, type, options, where) => {
    const bed = makeDhcpBed();
    expect(send(bed, type, options, where)).toBeUndefined();
    expect(bed.router.saveState().counters.drops.malformed).toBe(1);
  });

  it.each([0, 3, 6, 9])("of %i bytes, which is cut off", (length) => {
    const bed = makeDhcpBed();
    const data = encodeDhcpv6({ type: SOLICIT, transaction: 1, options: [client()] }).subarray(0, length);
    expect(sendBytes(bed, data, {}, bed.a.received.length)).toBeUndefined();
    expect(bed.router.saveState().counters.drops.malformed).toBe(1);
  });

  it("that confirms nothing", () => {
    expect(send(makeDhcpBed(), CONFIRM, [client(), ia()])).toBeUndefined();
  });

  it("at a port without a server", () => {
    const bed = makeBed({ ports: PORTS, dhcpv6: { Ethernet1: POOL_2 } });
    expect(send(bed, SOLICIT, [client(), ia()])).toBeUndefined();
    expect(send(makeBed({ ports: PORTS }), SOLICIT, [client(), ia()])).toBeUndefined();
  });
});

const POOL_2 = { first: "2001:db8:2::100", last: "2001:db8:2::101" };

describe("router advertisements", () => {
  it.each([
    [POOL, 0xc0],
    [{ dns: POOL.dns }, 0x40],
    [undefined, 0],
  ])("of a port with %j have the flags %i", (pool, flags) => {
    const bed = makeBed({ ports: PORTS, ...(pool && { dhcpv6: { Ethernet0: pool } }) });
    const solicitation = Uint8Array.of(133, 0, 0, 0, 0, 0, 0, 0);
    const target = ip6("ff02::2");
    bed.a.send6(
      ipv6MulticastMac(target),
      { source: linkLocalOf(MAC_A), target, hopLimit: 255 },
      solicitation,
    );
    bed.bench.run();
    const [advertisement] = bed.a.discovery.filter(({ payload }) => payload[0] === 134);
    expect(advertisement!.payload[5]).toBe(flags);
  });
});

describe("the state", () => {
  it("has the leases, and a router continues with them until the pool changes", () => {
    const bed = makeDhcpBed();
    send(bed, REQUEST, [client(), server, ia()]);
    const saved = bed.router.saveState();
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    const next = makeDhcpBed(POOL, saved);
    expect(addressIn(send(next, SOLICIT, [client(9), ia()]))).toEqual(["2001:db8:1::101"]);
    say(next, "dhcpv6 Ethernet0 2001:db8:1::200 2001:db8:1::201");
    expect(next.router.saveState()).not.toHaveProperty("services");
    say(next, "no dhcpv6");
    expect(send(next, SOLICIT, [client(), ia()])).toBeUndefined();
  });
});
