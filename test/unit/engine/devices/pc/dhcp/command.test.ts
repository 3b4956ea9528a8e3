import { ARP_REPLY, decodeArp, encodeArp } from "@wirelab/engine/wire/arp";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dhcpCommand } from "../../../../../../packages/engine/devices/pc/dhcp/command.ts";
import {
  DHCP_ACK,
  DHCP_DECLINE,
  DHCP_DISCOVER,
  DHCP_NAK,
  DHCP_OFFER,
  DHCP_REQUEST,
  dhcpNumber,
  messageType,
  numberOption,
  OPTION_DNS,
  OPTION_DOMAIN,
  OPTION_LEASE_TIME,
  OPTION_REBINDING_TIME,
  OPTION_RENEWAL_TIME,
  OPTION_REQUESTED_ADDRESS,
  OPTION_ROUTER,
  OPTION_SERVER,
  OPTION_SUBNET_MASK,
} from "../../../../../../packages/engine/wire/dhcp.ts";
import { BENCH_START_US } from "../../../../../helpers/engine/device-bench.ts";
import {
  clientMessage,
  DhcpServer,
  goodServer,
  OFFERED_IP,
  type Rule,
  reply,
  SERVER_IP,
  SERVER_MAC,
  USUAL_OPTIONS,
} from "../../../../../helpers/engine/dhcp-server.ts";
import { hexOf, PcBench } from "../../../../../helpers/engine/script-pc.ts";

const DHCP =
  (...words: string[]) =>
  (host: Parameters<typeof dhcpCommand>[0]) =>
    dhcpCommand(host, words, {});
const without = (...codes: number[]) => USUAL_OPTIONS.filter(([code]) => !codes.includes(code));

function benchWith(rule?: Rule): { bench: PcBench; server: DhcpServer } {
  const server = new DhcpServer(rule);
  return { bench: new PcBench(server.answer), server };
}

/** Whole seconds at which the PC sent messages, with their types. */
const sentAt = (bench: PcBench): [seconds: number, type: number | undefined][] =>
  bench.sent.flatMap(({ atUs, frame }) => {
    const message = clientMessage(frame);
    return message ? [[atUs / 1e6, messageType(message)] as [number, number | undefined]] : [];
  });

describe("ip dhcp", () => {
  test("gets an address, its router, name servers and domain, in five seconds", () => {
    const { bench } = benchWith();
    expect(bench.command(DHCP())).toBe("DORA IP 10.1.0.50/24 GW 10.1.0.1\n");
    expect(bench.nowUs).toBe(5_000_000);
    expect(bench.pc.state).toMatchObject({
      ipv4: { address: OFFERED_IP, prefixLength: 24, gateway: SERVER_IP },
      dns: [0x0101_0101, 0x0202_0202],
      domain: "lab.test",
    });
    expect(bench.pc.state.lease).toEqual({
      server: SERVER_IP,
      serverMac: SERVER_MAC,
      obtainedUs: BENCH_START_US + 5_000_000,
      leaseSeconds: 120,
      renewSeconds: 60,
      rebindSeconds: 105,
    });
  });

  test("probes the new address three times before it uses it", () => {
    const { bench } = benchWith();
    bench.command(DHCP());
    const arps = bench.sent.flatMap(({ atUs, frame }) => {
      const arp = decodeArp(frame);
      return arp ? [[atUs / 1e6, arp.senderIp, arp.targetIp]] : [];
    });
    expect(arps).toEqual([2, 3, 4].map((second) => [second, OFFERED_IP, OFFERED_IP]));
  });

  test("without a router option the line ends after the address", () => {
    const { bench } = benchWith(goodServer(without(OPTION_ROUTER)));
    expect(bench.command(DHCP())).toBe("DORA IP 10.1.0.50/24\n");
    expect(bench.pc.state.ipv4.gateway).toBe(0);
  });

  test("without a server the PC sends three discovers, and the command ends after 13 seconds", () => {
    const { bench } = benchWith(() => undefined);
    expect(bench.command(DHCP())).toBe("DDD\nCan't find dhcp server\n");
    expect(sentAt(bench)).toEqual([
      [0, DHCP_DISCOVER],
      [1, DHCP_DISCOVER],
      [4, DHCP_DISCOVER],
    ]);
    expect(bench.nowUs).toBe(13_000_000);
    expect(bench.pc.state.ipv4.address).toBe(0);
  });

  test("an offer to the third discover is used", () => {
    let discovers = 0;
    const { bench } = benchWith((message) => {
      if (messageType(message) === DHCP_DISCOVER && ++discovers < 3) return undefined;
      return goodServer()(message);
    });
    expect(bench.command(DHCP())).toBe("DDDORA IP 10.1.0.50/24 GW 10.1.0.1\n");
    expect(bench.nowUs).toBe((4 + 9 + 1 + 3) * 1_000_000);
  });

  test("the PC sends three requests, a second apart, for an offer that is not acknowledged", () => {
    const { bench } = benchWith((message) =>
      messageType(message) === DHCP_DISCOVER ? reply(message, DHCP_OFFER) : undefined,
    );
    expect(bench.command(DHCP())).toBe("DORRR\nCan't get ip address from dhcp server\n");
    expect(sentAt(bench).slice(1)).toEqual([1, 2, 3].map((second) => [second, DHCP_REQUEST]));
    expect(bench.nowUs).toBe(4_000_000);
    expect(bench.pc.state).toMatchObject({ ipv4: { address: 0 } });
    expect(bench.pc.state.lease).toBeUndefined();
  });

  test("a refusal fails the command after one request", () => {
    const { bench } = benchWith((message) =>
      reply(message, messageType(message) === DHCP_DISCOVER ? DHCP_OFFER : DHCP_NAK),
    );
    expect(bench.command(DHCP())).toBe("DOR\nCan't get ip address from dhcp server\n");
    expect(bench.pc.state.ipv4.address).toBe(0);
  });

  test("an address that another host has is declined, and the PC starts again after ten seconds, three times at most", () => {
    const server = new DhcpServer();
    const bench = new PcBench((frame, send) => {
      const arp = decodeArp(frame);
      if (arp === null) return server.answer(frame, send);
      const senderMac = 0x0200_0000_0077;
      const answer = { ...arp, opcode: ARP_REPLY, senderMac, targetMac: arp.senderMac };
      send(encodeArp(arp.senderMac, senderMac, answer));
    });
    bench.pc.state.ipv4 = { address: 0x0a00_0001, prefixLength: 24, gateway: 0 };
    expect(bench.command(DHCP())).toBe("DORA02:00:00:00:00:77 use my ip 10.1.0.50\n".repeat(3));
    expect(bench.pc.state.ipv4).toEqual({ address: 0, prefixLength: 0, gateway: 0 });
    expect(bench.pc.state.lease).toBeUndefined();
    const attempt = [DHCP_DISCOVER, DHCP_REQUEST, DHCP_DECLINE];
    expect(server.heard.map(messageType)).toEqual([...attempt, ...attempt, ...attempt]);
    const times = sentAt(bench).map(([seconds]) => seconds);
    expect([times[3]! - times[2]!, times[6]! - times[5]!].map(Math.round)).toEqual([10, 10]);
  });

  test("answers in broadcast frames are accepted", () => {
    const { bench } = benchWith((message) => {
      const type = messageType(message) === DHCP_DISCOVER ? DHCP_OFFER : DHCP_ACK;
      return reply(message, type, USUAL_OPTIONS, { mac: BROADCAST_MAC });
    });
    expect(bench.command(DHCP())).toContain("DORA IP 10.1.0.50/24");
  });

  test.each([
    ["of another exchange", { xid: 0x1234 }],
    ["for another MAC", { mac: 0x0200_0000_0001 }],
    ["without an address", { yourIp: 0 }],
    ["with a group's address", { yourIp: 0xe000_0001 }],
    ["with a loopback address", { yourIp: 0x7f00_0001 }],
  ])("an offer %s is ignored", (_what, difference) => {
    const { bench } = benchWith((message) => reply(message, DHCP_OFFER, USUAL_OPTIONS, difference));
    expect(bench.command(DHCP())).toBe("DDD\nCan't find dhcp server\n");
  });

  test("the PC accepts the first of two offers at the end of the pause", () => {
    const bench = new PcBench((frame, send) => {
      const message = clientMessage(frame);
      if (message === null) return;
      const type = messageType(message) === DHCP_DISCOVER ? DHCP_OFFER : DHCP_ACK;
      for (const yourIp of [OFFERED_IP, OFFERED_IP + 1])
        send(reply(message, type, USUAL_OPTIONS, { yourIp }));
    });
    expect(bench.command(DHCP())).toBe("DORA IP 10.1.0.50/24 GW 10.1.0.1\n");
    expect(bench.nowUs).toBe(5_000_000);
  });

  test("the PC uses the server's times, and keeps them in order", () => {
    const times = (renew: number, rebind: number) => {
      const { bench } = benchWith(
        goodServer([
          ...USUAL_OPTIONS,
          [OPTION_RENEWAL_TIME, numberOption(renew)],
          [OPTION_REBINDING_TIME, numberOption(rebind)],
        ]),
      );
      bench.command(DHCP());
      return [bench.pc.state.lease?.renewSeconds, bench.pc.state.lease?.rebindSeconds];
    };
    expect(times(30, 40)).toEqual([30, 40]);
    expect(times(50, 40)).toEqual([50, 50]);
    expect(times(999, 999)).toEqual([120, 120]);
    expect(times(0, 0)).toEqual([1, 1]);
  });

  test("values that a server leaves out default to its own address, /24 and an infinite lease", () => {
    const { bench } = benchWith(goodServer([]));
    expect(bench.command(DHCP())).toBe("DORA IP 10.1.0.50/24\n");
    expect(bench.pc.state).toMatchObject({
      dns: [0, 0],
      domain: "",
      lease: { server: SERVER_IP, leaseSeconds: 0xffff_ffff },
    });
  });

  test.each([
    ["\u001b[31mred", ""],
    ["two words", ""],
    ["..lab.test.", "lab.test"],
    ["lab.test\0", "lab.test"],
    ["a..b", ""],
    [`${"x".repeat(65)}`, ""],
  ])("the domain %j becomes %j", (sent, kept) => {
    const domain = [OPTION_DOMAIN, new TextEncoder().encode(sent)] as const;
    const { bench } = benchWith(goodServer([...without(OPTION_DOMAIN), domain]));
    bench.command(DHCP());
    expect(bench.pc.state.domain).toBe(kept);
  });

  test("an invalid mask gives /24", () => {
    const mask = [OPTION_SUBNET_MASK, numberOption(0xff00_ff00)] as const;
    const { bench } = benchWith(goodServer([...without(OPTION_SUBNET_MASK), mask]));
    expect(bench.command(DHCP())).toContain(" IP 10.1.0.50/24 ");
  });
});

describe("The frames of ip dhcp", () => {
  const IP_HEADER = "0000" + "0000" + "1011";
  const framesOf = (...words: string[]) => {
    const { bench } = benchWith();
    bench.pc.state.name = "R1";
    bench.command(DHCP(...words));
    return bench.sent.filter(({ frame }) => clientMessage(frame)).map(({ frame }) => hexOf(frame));
  };
  const xidOf = (frame: string) => frame.slice(92, 100);

  test("a discover is 406 bytes, TTL 16, type of service 0x10, the broadcast bit clear, options in order", () => {
    const [discover] = framesOf();
    const ethernet = "ffffffffffff" + "005079666800" + "0800";
    const ip = `45100188${IP_HEADER}a95600000000ffffffff`;
    expect(discover!.slice(0, 68)).toBe(ethernet + ip);
    expect(discover!.slice(68, 80)).toBe("00440043" + "0174");
    expect(discover!.slice(84, 92)).toBe("01010600");
    expect(discover!.slice(100, 180)).toBe(
      `${"00000000".repeat(5) + "005079666800".padEnd(32, "0")}00000000`,
    );
    const options = "350101" + "0c025231" + "3d0701005079666800" + "ff";
    expect(discover!.slice(556)).toBe(`63825363${options}`.padEnd(2 * 406 - 556, "0"));
    expect(discover!.length).toBe(2 * 406);
  });

  test("the UDP checksum of a discover is right", () => {
    const bytes = Buffer.from(framesOf()[0]!, "hex");
    let sum = 17 + 372 + 0xffff + 0xffff;
    for (let at = 34; at < 406; at += 2) sum += bytes.readUInt16BE(at);
    expect(sum % 0xffff).toBe(0);
  });

  test("a request is broadcast, in the same exchange, with the server, the address and the wanted options", () => {
    const [discover, request] = framesOf();
    const options =
      "350103" + "36040a010001" + "32040a010032" + "3d0701005079666800" + "0c025231" + "37040103060f" + "ff";
    expect(request!.slice(0, 68)).toBe(discover!.slice(0, 68));
    expect(xidOf(request!)).toBe(xidOf(discover!));
    expect(request!.slice(108, 116)).toBe("00000000");
    expect(request!.slice(556)).toBe(`63825363${options}`.padEnd(2 * 406 - 556, "0"));
  });

  test("a decline is broadcast from 0.0.0.0, in the same exchange, with the server and the address (RFC 2131, table 5)", () => {
    const server = new DhcpServer();
    const bench = new PcBench((frame, send) => {
      const arp = decodeArp(frame);
      if (arp === null) return server.answer(frame, send);
      send(
        encodeArp(arp.senderMac, 0x0200_0000_0077, {
          ...arp,
          opcode: ARP_REPLY,
          senderMac: 0x0200_0000_0077,
        }),
      );
    });
    bench.command(DHCP());
    const frames = bench.sent.filter(({ frame }) => clientMessage(frame)).map(({ frame }) => hexOf(frame));
    const [discover, , decline] = frames;
    const options = "350104" + "36040a010001" + "32040a010032" + "3d0701005079666800" + "ff";
    expect(decline!.slice(0, 68)).toBe(discover!.slice(0, 68));
    expect(xidOf(decline!)).toBe(xidOf(discover!));
    expect(decline!.slice(108, 116)).toBe("00000000");
    expect(decline!.slice(556)).toBe(`63825363${options}`.padEnd(2 * 406 - 556, "0"));
  });

  test("-r sends its discover to the server's MAC, with the last address as a hint", () => {
    const { bench } = benchWith();
    bench.pc.state.name = "R1";
    bench.command(DHCP());
    const before = bench.sent.length;
    expect(bench.command(DHCP("-r"))).toBe("DORA IP 10.1.0.50/24 GW 10.1.0.1\n");
    const discover = hexOf(bench.sent[before]!.frame);
    expect(discover.slice(0, 12)).toBe("0200000000aa");
    expect(discover.slice(52, 68)).toBe("00000000ffffffff");
    const options = "350101" + "0c025231" + "3d0701005079666800" + "32040a010032" + "ff";
    expect(discover.slice(556)).toBe(`63825363${options}`.padEnd(2 * 406 - 556, "0"));
  });

  test("-r of a PC that had no address is a plain discover", () => {
    expect(framesOf("-r")[0]!.replace(/^(.{92}).{8}/, "$1")).toBe(
      framesOf()[0]!.replace(/^(.{92}).{8}/, "$1"),
    );
  });

  test("-x releases the address silently: xid 0, the lease in the seconds field, low byte first", () => {
    const { bench } = benchWith();
    bench.pc.state.name = "R1";
    bench.command(DHCP());
    expect(bench.command(DHCP("-x"))).toBe("");
    const release = hexOf(bench.sent.at(-1)!.frame);
    expect(release.slice(0, 12)).toBe("0200000000aa");
    expect(release.slice(52, 68)).toBe("0a0100320a010001");
    expect(release.slice(92, 116)).toBe("00000000" + "7800" + "0000" + "0a010032");
    const options =
      "350107" + "37020103" + "36040a010001" + "32040a010032" + "0c025231" + "3d0701005079666800" + "ff";
    expect(release.slice(556)).toBe(`63825363${options}`.padEnd(2 * 406 - 556, "0"));
    expect(release.length).toBe(2 * 406);
  });
});

describe("ip dhcp -x", () => {
  test("clears address, mask and gateway; keeps server, name servers and domain", () => {
    const { bench } = benchWith();
    bench.command(DHCP());
    bench.command(DHCP("-x"));
    expect(bench.pc.state).toMatchObject({
      ipv4: { address: 0, prefixLength: 0, gateway: 0 },
      dns: [0x0101_0101, 0x0202_0202],
      domain: "lab.test",
      lease: { server: SERVER_IP, leaseSeconds: 0 },
    });
  });

  test("a later -r asks for the released address", () => {
    const { bench, server } = benchWith();
    bench.command(DHCP());
    bench.command(DHCP("-x"));
    server.heard.length = 0;
    bench.command(DHCP("-r"));
    expect(dhcpNumber(server.heard[0]!, OPTION_REQUESTED_ADDRESS)).toBe(OFFERED_IP);
    expect(bench.pc.state).toMatchObject({ ipv4: { address: OFFERED_IP }, lease: { leaseSeconds: 120 } });
  });

  test("sends nothing without an address", () => {
    const { bench } = benchWith();
    expect(bench.command(DHCP("-x"))).toBe("");
    expect(bench.sent).toEqual([]);
  });

  test.each([
    [["-x", "-r"], [7, 1, 3], OFFERED_IP],
    [["-r", "-x"], [1, 3, 7], 0],
  ])("with -r both are done in their order: %j", (words, types, address) => {
    const { bench, server } = benchWith();
    bench.command(DHCP());
    server.heard.length = 0;
    bench.command(DHCP(...words));
    expect(server.heard.map(messageType)).toEqual(types);
    expect(bench.pc.state.ipv4.address).toBe(address);
  });
});

describe("ip dhcp -d", () => {
  test("shows every message, field by field, and the result", () => {
    const { bench } = benchWith();
    bench.pc.state.name = "VPCS";
    const addresses = (yours: string, server: string) => [
      "Client IP Address: 0.0.0.0",
      `Your IP Address: ${yours}`,
      `Server IP Address: ${server}`,
      "Gateway IP Address: 0.0.0.0",
      "Client MAC Address: 00:50:79:66:68:00",
    ];
    const answerOptions = [
      "Option 54: DHCP Server = 10.1.0.1",
      "Option 51: Lease Time = 120",
      "Option 1: Subnet Mask = 255.255.255.0",
      "Option 3: Router = 10.1.0.1",
      "Option 6: DNS Server = 1.1.1.1 2.2.2.2 ",
      "Option 15: Domain = lab.test",
      "",
    ];
    const client = "Option 61: Client Identifier = Hardware Type=Ethernet MAC Address = 00:50:79:66:68:00";
    expect(bench.command(DHCP("-d")).split("\n")).toEqual([
      "Opcode: 1 (REQUEST)",
      ...addresses("0.0.0.0", "0.0.0.0"),
      "Option 53: Message Type = Discover",
      "Option 12: Host Name = VPCS",
      client,
      "",
      "Opcode: 2 (REPLY)",
      ...addresses("10.1.0.50", "10.1.0.1"),
      "Option 53: Message Type = Offer",
      ...answerOptions,
      "Opcode: 1 (REQUEST)",
      ...addresses("0.0.0.0", "0.0.0.0"),
      "Option 53: Message Type = Request",
      "Option 54: DHCP Server = 10.1.0.1",
      "Option 50: Requested IP Address = 10.1.0.50",
      client,
      "Option 12: Host Name = VPCS",
      "",
      "Opcode: 2 (REPLY)",
      ...addresses("10.1.0.50", "10.1.0.1"),
      "Option 53: Message Type = Ack",
      ...answerOptions,
      " IP 10.1.0.50/24 GW 10.1.0.1",
      "",
    ]);
  });

  test("a failure follows the messages without an empty line of its own", () => {
    const { bench } = benchWith(() => undefined);
    expect(bench.command(DHCP("-d"))).toMatch(/00:50:79:66:68:00\n\nCan't find dhcp server\n$/);
  });

  test("the console never prints a control character that a server sends", () => {
    const nasty = Uint8Array.of(0x1b, 0x5b, 0x32, 0x4a, 0x07, 0x80, 0x0a);
    const codes = [OPTION_DOMAIN, 12, 53, OPTION_DNS, 61, 200];
    const { bench } = benchWith(
      goodServer([...codes.map((code) => [code, nasty] as const), [OPTION_SERVER, numberOption(SERVER_IP)]]),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(bench.command(DHCP("-d"))).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\uffff]/);
  });
});

test("no answer of a server makes the client throw", () => {
  const option = fc.tuple(
    fc.constantFrom(1, 3, 6, 15, OPTION_LEASE_TIME, OPTION_SERVER, 58, 59, 53, 12, 61, 0, 255),
    fc.uint8Array({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(
      fc.array(option, { maxLength: 8 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      (options, detailed, yourIp) => {
        const { bench } = benchWith((message) => {
          const type = messageType(message) === DHCP_DISCOVER ? DHCP_OFFER : DHCP_ACK;
          return reply(message, type, options, { yourIp });
        });
        expect(bench.command(DHCP(...(detailed ? ["-d"] : [])))).toMatch(/( IP .*|server)\n$/);
        bench.run(400_000_000);
      },
    ),
    { numRuns: 60 },
  );
});
