import type { RouterState } from "@wirelab/engine/devices/router/index";
import { encodeArp } from "@wirelab/engine/wire/arp";
import { targetMac } from "@wirelab/engine/wire/ethernet";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import {
  DHCP_ACK,
  DHCP_DECLINE,
  DHCP_DISCOVER,
  DHCP_INFORM,
  DHCP_NAK,
  DHCP_OFFER,
  DHCP_RELEASE,
  DHCP_REQUEST,
  type Dhcp,
  decodeDhcp,
  dhcpNumber,
  dhcpOption,
  encodeDhcp,
  messageType,
  numberOption,
} from "../../../../../packages/engine/wire/dhcp.ts";
import { type Bed, ip, MAC_A, makeBed, ROUTER_MAC } from "./probe.ts";

const SERVER = ip("10.0.1.1");
const BROADCAST_IP = 0xffff_ffff;
const ALL_OPTIONS = [1, 3, 6, 15, 51, 58, 59];
const CLIENT_1 = 0x0200_0000_0c01;
const CLIENT_2 = 0x0200_0000_0c02;
const CLIENT_3 = 0x0200_0000_0c03;

const withPool = (pool: object = {}) => ({
  ports: [
    {
      ipv4: "10.0.1.1/24",
      dhcp: { first: "10.0.1.100", last: "10.0.1.101", lease_seconds: 600, ...pool },
    },
    { ipv4: "10.0.2.1/24" },
  ],
});

interface Reply {
  readonly type: number | undefined;
  readonly address: string;
  readonly message: Dhcp;
  readonly targetMac: number;
  readonly target: number;
}

interface Message extends Partial<Dhcp> {
  /** Option values; numbers and addresses are encoded in four bytes. */
  readonly values?: Readonly<Record<number, number | Uint8Array>>;
  readonly to?: number;
}

/** Sends a message from a client to the server on port 0. */
function send(
  { a }: Bed,
  type: number,
  mac: number,
  { values = {}, to = BROADCAST_IP, ...fields }: Message = {},
) {
  const options = Object.entries(values).map(
    ([code, value]) => [Number(code), typeof value === "number" ? numberOption(value) : value] as const,
  );
  const message: Dhcp = {
    op: 1,
    xid: 0x1234_5678,
    secs: 0,
    flags: 0,
    clientIp: 0,
    yourIp: 0,
    serverIp: 0,
    relayIp: 0,
    clientMac: mac,
    ...fields,
    options: [[53, Uint8Array.of(type)], ...options],
  };
  const source = message.clientIp;
  const data = encodeDhcp(message);
  const frameTarget = to === BROADCAST_IP ? BROADCAST_MAC : ROUTER_MAC;
  const udp = encodeUdp4(source, to, { sourcePort: 68, targetPort: 67, data });
  a.send4(frameTarget, { source, target: to, protocol: 17 }, udp);
}

/** Sends a message and returns the replies. */
function ask(bed: Bed, type: number, mac: number, message?: Message) {
  const { bench, a } = bed;
  const before = a.packets4.length;
  send(bed, type, mac, message);
  bench.run();
  return a.packets4.slice(before).map(({ header, payload, frame }): Reply => {
    const reply = decodeDhcp(decodeUdp(payload)!.data)!;
    return {
      type: messageType(reply),
      address: formatIpv4(reply.yourIp),
      message: reply,
      targetMac: targetMac(frame),
      target: header.target,
    };
  });
}

const discover = (bed: Bed, mac: number, message?: Message) => ask(bed, DHCP_DISCOVER, mac, message)[0];
const select = (bed: Bed, mac: number, address: string, server = SERVER) =>
  ask(bed, DHCP_REQUEST, mac, { values: { 50: ip(address), 54: server } })[0];

/** Leases an address to a client by discover and request. */
function obtain(bed: Bed, mac: number): string {
  const offer = discover(bed, mac)!;
  const ack = select(bed, mac, offer.address)!;
  expect([offer.type, ack.type, ack.address]).toEqual([DHCP_OFFER, DHCP_ACK, offer.address]);
  return ack.address;
}

const pass = ({ bench }: Bed, seconds: number): void => bench.run(bench.nowUs + seconds * 1e6);

describe("the DHCP server", () => {
  it("offers the lowest free address, and acknowledges it", () => {
    const bed = makeBed(withPool());
    expect(obtain(bed, CLIENT_1)).toBe("10.0.1.100");
    expect(obtain(bed, CLIENT_2)).toBe("10.0.1.101");
  });

  it("sends mask, router, servers, domain and the times of the lease", () => {
    const bed = makeBed(withPool({ dns: ["1.1.1.1", "8.8.8.8"], domain: "lab.example" }));
    const values = { 55: Uint8Array.from(ALL_OPTIONS) };
    const { message } = discover(bed, CLIENT_1, { values })!;
    expect([1, 3, 51, 54, 58, 59].map((code) => dhcpNumber(message, code))).toEqual([
      0xffff_ff00,
      SERVER,
      600,
      SERVER,
      300,
      525,
    ]);
    expect(dhcpOption(message, 6)).toEqual(numberOption(ip("1.1.1.1"), ip("8.8.8.8")));
    expect(new TextDecoder().decode(dhcpOption(message, 15))).toBe("lab.example");
    expect(message).toMatchObject({ op: 2, xid: 0x1234_5678, clientMac: CLIENT_1 });
  });

  it("omits options that the client did not request, and unconfigured ones", () => {
    const bed = makeBed(withPool({ domain: "lab.example" }));
    const { message } = discover(bed, CLIENT_1, { values: { 55: Uint8Array.of(1, 3, 6) } })!;
    expect(message.options.map(([code]) => code)).toEqual([53, 54, 51, 58, 59, 1, 3]);
  });

  it("replies to the client's MAC and new address, or to the broadcast address if the client requests that", () => {
    const bed = makeBed(withPool());
    const unicast = discover(bed, CLIENT_1)!;
    expect([unicast.targetMac, unicast.target]).toEqual([CLIENT_1, ip("10.0.1.100")]);
    const broadcast = discover(bed, CLIENT_1, { flags: 0x8000 })!;
    expect([broadcast.targetMac, broadcast.target]).toEqual([BROADCAST_MAC, BROADCAST_IP]);
  });

  it("gives a client its former address, even when a lower one is free", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    obtain(bed, CLIENT_2);
    pass(bed, 700);
    expect(discover(bed, CLIENT_2)!.address).toBe("10.0.1.101");
  });

  it("identifies a client by its identifier, whatever its MAC", () => {
    const bed = makeBed(withPool());
    const values = { 61: Uint8Array.of(1, 2, 3) };
    const addresses = [CLIENT_1, CLIENT_2].map((mac) => discover(bed, mac, { values })!.address);
    expect(addresses).toEqual(["10.0.1.100", "10.0.1.100"]);
  });

  it("gives a client the address that it requests, if it is free", () => {
    const bed = makeBed(withPool());
    const wish = { values: { 50: ip("10.0.1.101") } };
    expect(discover(bed, CLIENT_1, wish)!.address).toBe("10.0.1.101");
    expect(discover(bed, CLIENT_2, wish)!.address).toBe("10.0.1.100");
  });

  it("does not reply when the pool is exhausted, until a lease expires", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    pass(bed, 300);
    obtain(bed, CLIENT_2);
    expect(discover(bed, CLIENT_3)).toBeUndefined();
    pass(bed, 301);
    expect(discover(bed, CLIENT_3)!.address).toBe("10.0.1.100");
  });

  it("reserves an offer for a minute", () => {
    const bed = makeBed(withPool({ last: "10.0.1.100" }));
    discover(bed, CLIENT_1);
    expect(discover(bed, CLIENT_2)).toBeUndefined();
    pass(bed, 61);
    expect(discover(bed, CLIENT_2)!.address).toBe("10.0.1.100");
  });

  it("withdraws an offer when the client chooses another server", () => {
    const bed = makeBed(withPool({ last: "10.0.1.100" }));
    discover(bed, CLIENT_1);
    expect(select(bed, CLIENT_1, "10.0.1.77", ip("10.0.1.2"))).toBeUndefined();
    expect(discover(bed, CLIENT_2)!.address).toBe("10.0.1.100");
  });

  it("rejects a request for another client's address, by broadcast", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    const reply = select(bed, CLIENT_2, "10.0.1.100")!;
    expect([reply.type, reply.targetMac, reply.target]).toEqual([DHCP_NAK, BROADCAST_MAC, BROADCAST_IP]);
    expect(reply.message.options.map(([code]) => code)).toEqual([53, 54]);
  });

  it("acknowledges the address of a client that reboots", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    const [reply] = ask(bed, DHCP_REQUEST, CLIENT_1, { values: { 50: ip("10.0.1.100") } });
    expect([reply!.type, reply!.address]).toEqual([DHCP_ACK, "10.0.1.100"]);
  });

  it("rejects a rebooting client's address of another subnet, and ignores one that it has not leased", () => {
    const bed = makeBed(withPool());
    const boot = (address: string) => ask(bed, DHCP_REQUEST, CLIENT_1, { values: { 50: ip(address) } });
    expect(boot("192.168.0.5").map(({ type }) => type)).toEqual([DHCP_NAK]);
    expect(boot("10.0.1.100")).toEqual([]);
    expect(boot("10.0.1.50")).toEqual([]);
  });

  it("rejects an address that is not the rebooting client's own", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    obtain(bed, CLIENT_2);
    const [reply] = ask(bed, DHCP_REQUEST, CLIENT_1, { values: { 50: ip("10.0.1.101") } });
    expect(reply!.type).toBe(DHCP_NAK);
  });

  it("renews a lease in a frame to the client's own address", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    pass(bed, 300);
    const clientIp = ip("10.0.1.100");
    const [reply] = ask(bed, DHCP_REQUEST, CLIENT_1, { clientIp, to: SERVER });
    expect([reply!.type, reply!.target, reply!.targetMac]).toEqual([DHCP_ACK, clientIp, CLIENT_1]);
    pass(bed, 400);
    expect(discover(bed, CLIENT_2)!.address).toBe("10.0.1.101");
  });

  it("extends a lease for a client that rebinds, and ignores other servers' clients", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    const rebind = (mac: number, address: string) =>
      ask(bed, DHCP_REQUEST, mac, { clientIp: ip(address) }).map(({ type }) => type);
    expect(rebind(CLIENT_1, "10.0.1.100")).toEqual([DHCP_ACK]);
    expect(rebind(CLIENT_2, "10.0.1.50")).toEqual([]);
  });

  it("accepts a renewing client's address after a restart, unless another client has it", () => {
    const bed = makeBed(withPool());
    const renew = (mac: number) =>
      ask(bed, DHCP_REQUEST, mac, { clientIp: ip("10.0.1.101"), to: SERVER })[0]!.type;
    expect([renew(CLIENT_1), renew(CLIENT_2)]).toEqual([DHCP_ACK, DHCP_NAK]);
  });

  it("rejects the renewal of an address that is no longer in the pool", () => {
    const bed = makeBed(withPool());
    const [reply] = ask(bed, DHCP_REQUEST, CLIENT_1, { clientIp: ip("10.0.1.50"), to: SERVER });
    expect(reply!.type).toBe(DHCP_NAK);
  });

  it("does not shorten a lease by another offer", () => {
    const bed = makeBed(withPool({ last: "10.0.1.100" }));
    obtain(bed, CLIENT_1);
    expect(discover(bed, CLIENT_1)!.address).toBe("10.0.1.100");
    pass(bed, 61);
    expect(discover(bed, CLIENT_2)).toBeUndefined();
  });

  it("keeps the lease of a client that chooses another server", () => {
    const bed = makeBed(withPool({ last: "10.0.1.100" }));
    obtain(bed, CLIENT_1);
    select(bed, CLIENT_1, "10.0.1.77", ip("10.0.1.2"));
    expect(discover(bed, CLIENT_2)).toBeUndefined();
  });

  it("ends the former lease of a client that gets another address", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    expect(select(bed, CLIENT_1, "10.0.1.101")!.type).toBe(DHCP_ACK);
    expect(bed.router.saveState().leases).toHaveLength(1);
    expect(obtain(bed, CLIENT_2)).toBe("10.0.1.100");
  });

  it("leaves an address with its new client, whatever its former client does", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    pass(bed, 601);
    expect(obtain(bed, CLIENT_2)).toBe("10.0.1.100");
    expect(obtain(bed, CLIENT_1)).toBe("10.0.1.101");
    expect(discover(bed, CLIENT_3)).toBeUndefined();
  });

  it("removes the leases of a removed pool", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    bed.bench.type("R1", "dhcp 0 off", "dhcp 0 10.0.1.100 10.0.1.101");
    expect(discover(bed, CLIENT_2)!.address).toBe("10.0.1.100");
  });

  it("grants shorter leases on request, but no longer ones", () => {
    const bed = makeBed(withPool());
    const leaseFor = (seconds: number) =>
      dhcpNumber(discover(bed, CLIENT_1, { values: { 51: seconds } })!.message, 51);
    expect([leaseFor(120), leaseFor(1), leaseFor(0xffff_ffff)]).toEqual([120, 60, 600]);
  });

  it("sets a declined address aside for an hour", () => {
    const bed = makeBed(withPool({ last: "10.0.1.100" }));
    obtain(bed, CLIENT_1);
    ask(bed, DHCP_DECLINE, CLIENT_1, { values: { 50: ip("10.0.1.100"), 54: SERVER } });
    expect(discover(bed, CLIENT_1)).toBeUndefined();
    pass(bed, 3_601);
    expect(discover(bed, CLIENT_2)!.address).toBe("10.0.1.100");
  });

  it("leases a released address to other clients", () => {
    const bed = makeBed(withPool({ last: "10.0.1.100" }));
    obtain(bed, CLIENT_1);
    const clientIp = ip("10.0.1.100");
    ask(bed, DHCP_RELEASE, CLIENT_2, { clientIp, to: SERVER });
    expect(discover(bed, CLIENT_2)).toBeUndefined();
    ask(bed, DHCP_RELEASE, CLIENT_1, { clientIp, to: SERVER });
    expect(discover(bed, CLIENT_2)!.address).toBe("10.0.1.100");
  });

  it("sends options to a client with an address, without a lease", () => {
    const bed = makeBed(withPool({ dns: ["1.1.1.1"] }));
    const clientIp = ip("10.0.1.50");
    const [reply] = ask(bed, DHCP_INFORM, CLIENT_1, { clientIp });
    expect([reply!.type, reply!.target, reply!.address]).toEqual([DHCP_ACK, clientIp, "0.0.0.0"]);
    expect(reply!.message.options.map(([code]) => code)).toEqual([53, 54, 1, 3, 6]);
    expect(bed.router.saveState().leases).toEqual([]);
  });

  it("does not lease an address that another station uses", () => {
    const bed = makeBed(withPool());
    const senderIp = ip("10.0.1.100");
    bed.a.send(
      encodeArp(ROUTER_MAC, MAC_A, {
        opcode: 2,
        senderMac: MAC_A,
        senderIp,
        targetMac: ROUTER_MAC,
        targetIp: SERVER,
      }),
    );
    bed.bench.run();
    expect(discover(bed, CLIENT_1)!.address).toBe("10.0.1.101");
    expect(discover(bed, MAC_A)!.address).toBe("10.0.1.100");
  });

  it.each([
    ["a reply", { op: 2 }],
    ["a relayed message", { relayIp: ip("10.0.9.1") }],
    ["a client with a group's MAC", { clientMac: BROADCAST_MAC }],
  ])("ignores %s", (_, fields) => {
    const bed = makeBed(withPool());
    expect(ask(bed, DHCP_DISCOVER, CLIENT_1, fields)).toEqual([]);
  });

  it("does not reply on a port without a pool", () => {
    const bed = makeBed({ ports: [{ ipv4: "10.0.1.1/24" }] });
    expect(ask(bed, DHCP_DISCOVER, CLIENT_1)).toEqual([]);
  });

  it("keeps leases from run to run in its state", () => {
    const bed = makeBed(withPool());
    obtain(bed, CLIENT_1);
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    expect(discover(makeBed(withPool(), state), CLIENT_2)!.address).toBe("10.0.1.101");
    expect(discover(makeBed(withPool()), CLIENT_2)!.address).toBe("10.0.1.100");
  });

  it("keeps at most 1,024 clients, and drops those with expired leases", () => {
    const bed = makeBed({
      ports: [{ ipv4: "10.0.1.1/16", dhcp: { first: "10.0.100.0", last: "10.0.200.0", lease_seconds: 600 } }],
    });
    // The discovers come at the same time: at half a second per probe, the first offers would expire before the last.
    for (let client = 0; client < 1_024; client++) send(bed, DHCP_DISCOVER, 0x0200_0001_0000 + client);
    bed.bench.run();
    expect(discover(bed, CLIENT_1)).toBeUndefined();
    pass(bed, 61);
    expect(discover(bed, CLIENT_1)).toBeDefined();
    expect(bed.router.saveState().leases).toHaveLength(1_024);
  });
});
