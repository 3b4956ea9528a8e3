/** The DNS server of a router: what it knows, what it asks others for, and what it refuses. */
import { concatBytes, readU16, writeU16 } from "@wirelab/engine/base/bytes";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { decodeUdp, encodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { questionFor } from "../../../../../../packages/engine/devices/router/services/dns/question.ts";
import type { RouterState } from "../../../../../../packages/engine/devices/router/shell/state.ts";
import { DNS_A, DNS_AAAA, DNS_CNAME, DNS_PTR } from "../../../../../../packages/engine/wire/dns.ts";
import {
  encodeReply,
  readDnsQuery,
  readDnsResponse,
  type StoredRecord,
} from "../../../../../../packages/engine/wire/dns-exchange.ts";
import { type Bed, ip, ip6, makeBed, ROUTER_MAC, say } from "../probe.ts";

const PORTS = [
  { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" },
  { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64" },
];
const DNS = {
  hosts: { "www.example.net": ["10.0.2.10", "2001:db8:2::10"], "Mail.example.net": "10.0.2.11" },
  aliases: { "ftp.example.net": "www.example.net", "out.example.net": "www.example.org" },
  zones: ["example.net"],
};
/** B is the other server, at 10.0.2.10. */
const makeDnsBed = (dns: object = {}, state?: RouterState): Bed =>
  makeBed({ ports: PORTS, dns: { ...DNS, servers: ["10.0.2.10"], ...dns } }, state);

interface Options {
  readonly id?: number;
  readonly flags?: number;
  readonly sourcePort?: number;
  readonly edns?: number;
}

function queryFor(name: string, type: number, { id = 7, flags = 0x0100, edns }: Options = {}): Uint8Array {
  const header = new Uint8Array(12);
  for (const [at, value] of [id, flags, 1, 0, 0, edns === undefined ? 0 : 1].entries())
    writeU16(header, 2 * at, value);
  const opt = edns === undefined ? [] : [0, 0, 41, edns >> 8, edns & 255, 0, 0, 0, 0, 0, 0];
  return concatBytes(header, questionFor(name, type).bytes, Uint8Array.from(opt));
}

/** A sends bytes to the router's port 53. Nothing else happens yet. */
function send(bed: Bed, data: Uint8Array, sourcePort = 4_000): void {
  const udp = encodeUdp4(bed.a.address4, ip("10.0.1.1"), { sourcePort, targetPort: 53, data });
  bed.a.send4(ROUTER_MAC, { target: ip("10.0.1.1"), protocol: 17 }, udp);
}

/** The DNS messages that A has received, the last one last. */
const replies = (bed: Bed): Uint8Array[] =>
  bed.a.packets4.flatMap(({ header, payload }) => {
    const udp = header.protocol === 17 ? decodeUdp(payload) : null;
    return udp?.sourcePort === 53 ? [udp.data] : [];
  });

const shown = (data: Uint8Array | undefined): unknown => {
  if (data === undefined) return undefined;
  const { id, flags, rcode, answers } = readDnsResponse(data)!;
  const names = [
    [0x0400, "AA"],
    [0x0200, "TC"],
    [0x0100, "RD"],
    [0x0080, "RA"],
  ] as const;
  return {
    id,
    rcode,
    flags: names.flatMap(([bit, name]) => (flags & bit ? [name] : [])).join(" "),
    answers: answers?.map(({ name, type, ttlSeconds, value }) => `${name} ${type} ${ttlSeconds} ${value}`),
  };
};

function ask(bed: Bed, name: string, type: number, options: Options = {}): unknown {
  const before = replies(bed).length;
  send(bed, queryFor(name, type, options), options.sourcePort);
  bed.bench.run();
  expect(replies(bed).length - before).toBe(1);
  return shown(replies(bed).at(-1));
}

/** The queries that B has received: the UDP port and bytes. */
const asked = (bed: Bed): { port: number; data: Uint8Array }[] =>
  bed.b.packets4.flatMap(({ header, payload }) => {
    const udp = header.protocol === 17 ? decodeUdp(payload) : null;
    return udp?.targetPort === 53 ? [{ port: udp.sourcePort, data: udp.data }] : [];
  });

/** B answers the last query. */
function answer(bed: Bed, answers: readonly StoredRecord[], rcode = 0, tail = new Uint8Array()): void {
  const { port, data } = asked(bed).at(-1)!;
  const reply = concatBytes(encodeReply(readDnsQuery(data)!, 0x0080, rcode, answers), tail);
  if (tail.length > 0) writeU16(reply, 8, 1);
  answerWith(bed, reply, port);
}

function answerWith(bed: Bed, data: Uint8Array, port: number, source = ip("10.0.2.10")): void {
  const target = ip("10.0.2.1");
  const udp = encodeUdp4(source, target, { sourcePort: 53, targetPort: port, data });
  bed.b.send4(ROUTER_MAC + 1, { source, target, protocol: 17 }, udp);
  bed.bench.run(bed.bench.nowUs + 1_000);
}

const record = (changes: Partial<StoredRecord> = {}): StoredRecord => ({
  name: "www.example.org",
  type: DNS_A,
  ttlSeconds: 60,
  value: "192.0.2.1",
  ...changes,
});

/** A asks, and the query waits for B. */
function askElsewhere(bed: Bed, name = "www.example.org", options: Options = {}): void {
  send(bed, queryFor(name, DNS_A, options), options.sourcePort);
  bed.bench.run(bed.bench.nowUs + 1_000);
}

/** An SOA record with a life of 900 s and a minimum of 300 s. */
const SOA = Uint8Array.from([
  0, 0, 6, 0, 1, 0, 0, 3, 0x84, 0, 22, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 1, 44,
]);

describe("names that are configured", () => {
  it.each<[string, number, string[]]>([
    ["www.example.net", DNS_A, ["www.example.net 1 300 10.0.2.10"]],
    ["www.example.net", DNS_AAAA, ["www.example.net 28 300 2001:db8:2::10"]],
    ["www.example.net", 255, ["www.example.net 1 300 10.0.2.10", "www.example.net 28 300 2001:db8:2::10"]],
    ["mail.example.net", DNS_AAAA, []],
    ["mail.example.net", 15, []],
    ["ftp.example.net", DNS_A, ["ftp.example.net 5 300 www.example.net", "www.example.net 1 300 10.0.2.10"]],
    ["ftp.example.net", DNS_CNAME, ["ftp.example.net 5 300 www.example.net"]],
    ["11.2.0.10.in-addr.arpa", DNS_PTR, ["11.2.0.10.in-addr.arpa 12 300 mail.example.net"]],
    [
      "0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.2.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa",
      DNS_PTR,
      ["0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.2.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa 12 300 www.example.net"],
    ],
    ["example.net", DNS_A, []],
  ])("%s, type %i, is answered with authority", (name, type, answers) => {
    expect(ask(makeDnsBed(), name, type)).toEqual({ id: 7, rcode: 0, flags: "AA RD RA", answers });
  });

  it("are found in any case, and the answer has the case of the question", () => {
    expect(ask(makeDnsBed(), "WWW.Example.NET", DNS_A)).toMatchObject({
      answers: ["WWW.Example.NET 1 300 10.0.2.10"],
    });
  });

  it("are all names of a zone: others do not exist", () => {
    const bed = makeDnsBed();
    expect(ask(bed, "nosuch.example.net", DNS_A)).toEqual({
      id: 7,
      rcode: 3,
      flags: "AA RD RA",
      answers: [],
    });
    expect(asked(bed)).toEqual([]);
  });

  it("are answered over IPv6", () => {
    const bed = makeDnsBed();
    const udp = encodeUdp({ sourcePort: 4_000, targetPort: 53, data: queryFor("www.example.net", DNS_A) }, 0);
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:1::1"), nextHeader: 17 }, udp);
    bed.bench.run();
    const [reply] = bed.a.packets6.filter(({ header }) => header.nextHeader === 17);
    expect(shown(decodeUdp(reply!.payload)!.data)).toMatchObject({
      answers: ["www.example.net 1 300 10.0.2.10"],
    });
  });

  it("have the life that is configured", () => {
    expect(ask(makeDnsBed({ ttl_seconds: 0 }), "www.example.net", DNS_A)).toMatchObject({
      answers: ["www.example.net 1 0 10.0.2.10"],
    });
  });

  it("are truncated for a client without EDNS if the answer is too large, and whole for one with it", () => {
    const addresses = Array.from({ length: 8 }, (_, index) => `2001:db8:${index}::1`);
    const host = `${"a".repeat(60)}.net`;
    // Aliases with long names make the answer larger than 512 bytes.
    const aliases = { "x.net": `${"c".repeat(60)}.net`, [`${"c".repeat(60)}.net`]: host };
    const bed = makeDnsBed({ hosts: { [host]: addresses }, aliases, zones: [] });
    expect(ask(bed, "x.net", DNS_AAAA)).toMatchObject({ flags: "AA TC RD RA", answers: [] });
    const reply = ask(bed, "x.net", DNS_AAAA, { edns: 4_096 }) as { answers: string[] };
    expect(reply.answers).toHaveLength(10);
    const last = replies(bed).at(-1)!;
    expect([readU16(last, 10), ...last.subarray(-11, -6)]).toEqual([1, 0, 0, 41, 4, 0xd0]);
  });
});

describe("other names", () => {
  it("are asked for at another server, with another id, and its answer is passed on", () => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    const [query] = asked(bed);
    expect(readDnsQuery(query!.data)).toMatchObject({
      flags: 0x0100,
      question: { name: "www.example.org", type: 1 },
    });
    expect(readDnsQuery(query!.data)!.id).not.toBe(7);
    answer(bed, [record()]);
    expect(shown(replies(bed).at(-1))).toEqual({
      id: 7,
      rcode: 0,
      flags: "RD RA",
      answers: ["www.example.org 1 60 192.0.2.1"],
    });
  });

  it("are answered from the cache while their records live, with what is left of their lives", () => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    answer(bed, [
      record({ type: DNS_CNAME, value: "web.example.org", ttlSeconds: 600 }),
      record({ name: "web.example.org" }),
    ]);
    bed.bench.run(bed.bench.nowUs + 25e6);
    expect(ask(bed, "WWW.example.org", DNS_A, { id: 9 })).toEqual({
      id: 9,
      rcode: 0,
      flags: "RD RA",
      answers: ["WWW.example.org 5 575 web.example.org", "web.example.org 1 35 192.0.2.1"],
    });
    expect(say(bed, "show dns").at(-1)).toMatch(/www\.example\.org +A +web\.example\.org 192\.0\.2\.1 +35 s/);
    bed.bench.run(bed.bench.nowUs + 36e6);
    askElsewhere(bed);
    expect(asked(bed)).toHaveLength(2);
  });

  it("that do not exist are kept as long as the SOA record allows", () => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    answer(bed, [], 3, SOA);
    expect(shown(replies(bed).at(-1))).toMatchObject({ rcode: 3 });
    expect(ask(bed, "www.example.org", DNS_A)).toMatchObject({ rcode: 3, answers: [] });
    expect(say(bed, "show dns").at(-1)).toMatch(/www\.example\.org +A +no such name +300 s/);
    bed.bench.run(bed.bench.nowUs + 301e6);
    askElsewhere(bed);
    expect(asked(bed)).toHaveLength(2);
  });

  it("without records are kept, too, and not if there is no SOA record", () => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    answer(bed, []);
    askElsewhere(bed, undefined, { id: 8 });
    expect(asked(bed)).toHaveLength(2);
    answer(bed, [], 0, SOA);
    expect(ask(bed, "www.example.org", DNS_A)).toMatchObject({ rcode: 0, answers: [] });
  });

  it.each<[string, StoredRecord]>([
    ["a life of 0", record({ ttlSeconds: 0 })],
    ["a byte that is no character of a name", record({ type: DNS_CNAME, value: "a\\001b.org" })],
  ])("with %s are not kept", (_, each) => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    if (each.value.includes("\\")) {
      const { port, data } = asked(bed)[0]!;
      const reply = encodeReply(readDnsQuery(data)!, 0, 0, [record({ type: DNS_CNAME, value: "a-b.org" })]);
      reply[reply.indexOf(0x2d)] = 1;
      answerWith(bed, reply, port);
    } else answer(bed, [each]);
    expect(replies(bed)).toHaveLength(1);
    askElsewhere(bed, undefined, { id: 8 });
    expect(asked(bed)).toHaveLength(2);
  });

  it("to which an alias leads are answered with the alias", () => {
    const bed = makeDnsBed();
    askElsewhere(bed, "out.example.net");
    expect(readDnsQuery(asked(bed)[0]!.data)!.question!.name).toBe("www.example.org");
    answer(bed, [record()]);
    const wanted = {
      id: 7,
      rcode: 0,
      flags: "RD RA",
      answers: ["out.example.net 5 300 www.example.org", "www.example.org 1 60 192.0.2.1"],
    };
    expect(shown(replies(bed).at(-1))).toEqual(wanted);
    expect(ask(bed, "out.example.net", DNS_A)).toEqual(wanted);
  });

  it("to which an alias leads are answered with the alias alone, if the answer has a name that cannot be encoded again", () => {
    const bed = makeDnsBed();
    askElsewhere(bed, "out.example.net");
    const { port, data } = asked(bed)[0]!;
    const reply = encodeReply(readDnsQuery(data)!, 0, 0, [
      record({ type: DNS_CNAME, value: `${"z".repeat(63)}.org` }),
    ]);
    answerWith(
      bed,
      reply.map((byte) => (byte === 0x7a ? 1 : byte)),
      port,
    );
    expect(shown(replies(bed).at(-1))).toMatchObject({ answers: ["out.example.net 5 300 www.example.org"] });
  });

  it("without other servers are refused; an alias that leads there is answered alone", () => {
    const bed = makeDnsBed({ servers: [] });
    expect(ask(bed, "www.example.org", DNS_A)).toEqual({ id: 7, rcode: 5, flags: "RD", answers: [] });
    expect(ask(bed, "out.example.net", DNS_A)).toMatchObject({
      rcode: 0,
      flags: "AA RD",
      answers: ["out.example.net 5 300 www.example.org"],
    });
  });

  it("are refused if the client desires no recursion", () => {
    const bed = makeDnsBed();
    expect(ask(bed, "www.example.org", DNS_A, { flags: 0 })).toMatchObject({ rcode: 5, flags: "RA" });
    expect(asked(bed)).toEqual([]);
  });

  it("fail after two rounds of the servers, two seconds each", () => {
    const bed = makeDnsBed({ servers: ["10.0.2.10", "10.0.2.20"] });
    const beginUs = bed.bench.nowUs;
    expect(ask(bed, "www.example.org", DNS_A)).toMatchObject({ rcode: 2, flags: "RD RA" });
    expect(asked(bed)).toHaveLength(2);
    expect(bed.bench.nowUs - beginUs).toBeGreaterThanOrEqual(8e6);
  });

  it("fail at once if there is no way to the servers", () => {
    const bed = makeDnsBed({ servers: ["192.0.2.53", "2001:db8:9::53"] });
    const beginUs = bed.bench.nowUs;
    expect(ask(bed, "www.example.org", DNS_A)).toMatchObject({ rcode: 2 });
    expect(bed.bench.nowUs - beginUs).toBeLessThan(1e6);
  });

  it.each([2, 5])("are asked for at the next server if one answers with error %i", (rcode) => {
    const bed = makeDnsBed({ servers: ["10.0.2.10", "10.0.2.20"] });
    askElsewhere(bed);
    answer(bed, [], rcode);
    bed.bench.run();
    const arps = bed.bench.frames.filter(
      ({ frame }) => readU16(frame, 12) === 0x0806 && readU16(frame, 40) === 0x0214,
    );
    expect(arps.length).toBeGreaterThan(0);
    expect(shown(replies(bed).at(-1))).toMatchObject({ rcode: 2 });
  });

  it("are asked for over IPv6 if the server has an IPv6 address", () => {
    const bed = makeDnsBed({ servers: ["2001:db8:2::10"] });
    askElsewhere(bed);
    const [query] = [...bed.b.packets6, ...bed.b.discovery].filter(({ header }) => header.nextHeader === 17);
    const udp = decodeUdp(query!.payload)!;
    const reply = encodeReply(readDnsQuery(udp.data)!, 0, 0, [record()]);
    const data = encodeUdp({ sourcePort: 53, targetPort: udp.sourcePort, data: reply }, 0);
    bed.b.send6(ROUTER_MAC + 1, { target: query!.header.source, nextHeader: 17 }, data);
    bed.bench.run();
    expect(shown(replies(bed).at(-1))).toMatchObject({
      rcode: 0,
      answers: ["www.example.org 1 60 192.0.2.1"],
    });
  });

  it("are passed on whole with types that are not kept, or truncated", () => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    const { port, data } = asked(bed)[0]!;
    const reply = concatBytes(encodeReply(readDnsQuery(data)!, 0, 0), new Uint8Array(600));
    answerWith(bed, reply, port);
    expect(shown(replies(bed).at(-1))).toMatchObject({ flags: "TC RD RA", answers: [] });
    askElsewhere(bed, undefined, { id: 8, edns: 1_232 });
    answerWith(
      bed,
      concatBytes(encodeReply(readDnsQuery(asked(bed)[1]!.data)!, 0, 0), new Uint8Array(600)),
      asked(bed)[1]!.port,
    );
    expect(replies(bed).at(-1)!.length).toBeGreaterThan(600);
  });
});

describe("an answer is ignored", () => {
  const forged = (bed: Bed, change: (data: Uint8Array) => Uint8Array, source = ip("10.0.2.10")): void => {
    askElsewhere(bed);
    const { port, data } = asked(bed)[0]!;
    answerWith(bed, change(encodeReply(readDnsQuery(data)!, 0, 0, [record()])), port, source);
  };
  it.each<[string, (data: Uint8Array) => Uint8Array, number?]>([
    ["with another id", (data) => data.with(1, data[1]! ^ 1)],
    ["that is no response", (data) => data.with(2, 0)],
    ["that is shorter than a header", (data) => data.subarray(0, 11)],
    ["to another question", (data) => data.with(14, 0x78)],
    ["to another type", (data) => data.with(12 + 17 + 1, 28)],
    ["of another host", (data) => data, ip("10.0.2.77")],
  ])("%s", (_, change, source) => {
    const bed = makeDnsBed();
    forged(bed, change, source);
    expect(replies(bed)).toEqual([]);
    expect(bed.router.saveState().counters.drops.malformed).toBe(1);
    answer(bed, [record()]);
    expect(replies(bed)).toHaveLength(1);
  });
});

describe("a query", () => {
  it.each<[string, Uint8Array, number]>([
    ["without a question is a format error", new Uint8Array(12).with(1, 7).with(2, 1), 1],
    ["whose question is cut off is a format error", queryFor("www.example.net", DNS_A).subarray(0, 20), 1],
    ["with another operation is not implemented", queryFor("www.example.net", DNS_A, { flags: 0x2900 }), 4],
    ["of another class is refused", queryFor("www.example.net", DNS_A).with(12 + 17 + 3, 3), 5],
  ])("%s", (_, data, rcode) => {
    const bed = makeDnsBed();
    send(bed, data);
    bed.bench.run();
    expect(shown(replies(bed)[0])).toMatchObject({ id: 7, rcode });
  });

  it.each([
    ["shorter than a header", new Uint8Array(11)],
    ["that is a response", queryFor("www.example.net", DNS_A, { flags: 0x8000 })],
  ])("%s is dropped", (_, data) => {
    const bed = makeDnsBed();
    send(bed, data);
    bed.bench.run();
    expect(replies(bed)).toEqual([]);
    expect(bed.router.saveState().counters.drops.malformed).toBe(1);
  });

  it("that is repeated while it waits is asked once", () => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    askElsewhere(bed);
    askElsewhere(bed, undefined, { sourcePort: 4_001 });
    expect(asked(bed)).toHaveLength(2);
  });

  it("fails if 64 others wait", () => {
    const bed = makeDnsBed();
    for (let index = 0; index < 65; index++) send(bed, queryFor("www.example.org", DNS_A, { id: index }));
    bed.bench.run(1_000);
    expect(replies(bed).map((each) => shown(each))).toEqual([expect.objectContaining({ id: 64, rcode: 2 })]);
  });

  it("to a router without DNS is answered by ICMP", () => {
    const bed = makeBed({ ports: PORTS });
    send(bed, queryFor("www.example.net", DNS_A));
    bed.bench.run();
    expect(bed.a.packets4.map(({ header, payload }) => [header.protocol, payload[0], payload[1]])).toEqual([
      [1, 3, 3],
    ]);
  });

  it("that waits when DNS is turned off is not answered", () => {
    const bed = makeDnsBed();
    askElsewhere(bed);
    say(bed, "no dns");
    expect(bed.bench.nowUs).toBeLessThan(1e6);
    expect(replies(bed)).toEqual([]);
  });
});

describe("the state", () => {
  it("has the cache if there is one, and a router continues with it", () => {
    const bed = makeDnsBed();
    expect(bed.router.saveState()).not.toHaveProperty("services");
    askElsewhere(bed);
    answer(bed, [record()]);
    const saved = bed.router.saveState();
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    const next = makeDnsBed({}, saved);
    next.router.resume();
    expect(ask(next, "www.example.org", DNS_A)).toMatchObject({
      answers: ["www.example.org 1 60 192.0.2.1"],
    });
    expect(say(next, "clear dns")).toEqual([]);
    expect(next.router.saveState()).not.toHaveProperty("services");
  });

  it("has 256 answers at most, without the oldest", () => {
    const bed = makeDnsBed();
    for (let index = 0; index < 257; index++) {
      askElsewhere(bed, `w${index}.example.org`, { id: index });
      answer(bed, [record({ name: `w${index}.example.org`, ttlSeconds: 3_600 })]);
    }
    const names = bed.router.saveState().services!.dns!.cache.map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([256, "w1.example.org", "w256.example.org"]);
    expect(formatIpv4(bed.a.address4)).toBe("10.0.1.10");
  });
});
