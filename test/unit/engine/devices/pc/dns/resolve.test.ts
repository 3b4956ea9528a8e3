import { ARP_REPLY, ARP_REQUEST, decodeArp, encodeArp } from "@wirelab/engine/wire/arp";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6, encodeEthernet, etherType } from "@wirelab/engine/wire/ethernet";
import { decodeIpv4, encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { formatIpv4, parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { decodeIpv6, encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { formatIpv6, parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { decodeUdp, encodeUdp, encodeUdp4, type Udp } from "@wirelab/engine/wire/udp";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ResolvedName, resolveName } from "../../../../../../packages/engine/devices/pc/dns/resolve.ts";
import {
  DNS_A,
  DNS_AAAA,
  DNS_CNAME,
  type DnsQuestion,
  type DnsRecord,
  decodeDns,
  encodeDns,
} from "../../../../../../packages/engine/wire/dns.ts";
import { hexOf, PcBench } from "../../../../../helpers/engine/script-pc.ts";

const SERVER_MAC = 0x0200_0000_0053;
const ip = (text: string): number => parseIpv4(text)!;
const ip6 = (text: string): bigint => parseIpv6(text)!;

interface Answer {
  readonly answers?: readonly DnsRecord[];
  readonly rcode?: number;
  /** Data to send instead of a message. */
  readonly data?: Uint8Array;
  /** Changes to the datagram before it is sent. */
  readonly udp?: Partial<Udp>;
  readonly id?: number;
  readonly question?: DnsQuestion;
  /** Where an IPv4 server sends the answer, if not to the asker. */
  readonly target?: string;
}

interface Query {
  readonly server: string;
  readonly name: string;
  readonly type: number;
  readonly port: number;
}

/** All name servers as one device; an answer depends on the server's address and the question. */
class Servers {
  readonly queries: Query[] = [];
  readonly #rule: (query: Query) => Answer | undefined;

  constructor(rule: (query: Query) => Answer | undefined) {
    this.#rule = rule;
  }

  readonly answer = (frame: Uint8Array, send: (frame: Uint8Array) => void): void => {
    const arp = decodeArp(frame);
    if (arp?.opcode === ARP_REQUEST) {
      const answer = {
        opcode: ARP_REPLY,
        senderMac: SERVER_MAC,
        senderIp: arp.targetIp,
        targetMac: arp.senderMac,
        targetIp: arp.senderIp,
      };
      send(encodeArp(arp.senderMac, SERVER_MAC, answer));
    } else if (etherType(frame) === ETHERTYPE_IPV4) this.#answer4(frame, send);
    else if (etherType(frame) === ETHERTYPE_IPV6) this.#answer6(frame, send);
  };

  #answer4(frame: Uint8Array, send: (frame: Uint8Array) => void): void {
    const { source: asker, target: source } = decodeIpv4(frame, 14)!;
    const { udp, answer } = this.#say(formatIpv4(source), frame.subarray(34));
    if (udp === undefined) return;
    const target = answer?.target === undefined ? asker : ip(answer.target);
    const [packet] = encodeIpv4({ source, target, protocol: 17 }, encodeUdp4(source, target, udp));
    send(encodeEthernet(0x0050_7966_6800, SERVER_MAC, ETHERTYPE_IPV4, packet!));
  }

  #answer6(frame: Uint8Array, send: (frame: Uint8Array) => void): void {
    const { source: target, target: source, nextHeader } = decodeIpv6(frame, 14)!;
    if (nextHeader !== 17) return;
    const { udp } = this.#say(formatIpv6(source), frame.subarray(54));
    if (udp === undefined) return;
    const packet = encodeIpv6Checked({ source, target, nextHeader: 17 }, encodeUdp(udp, 0));
    send(encodeEthernet(0x0050_7966_6800, SERVER_MAC, ETHERTYPE_IPV6, packet));
  }

  #say(server: string, datagram: Uint8Array): { udp?: Udp; answer?: Answer } {
    const { sourcePort, targetPort, data } = decodeUdp(datagram)!;
    const query = decodeDns(data);
    // The PC echoes a datagram that no command waits for: an answer from another port, or data that is not a message.
    if (query === null || query.response) return {};
    const question = query.questions[0]!;
    const seen = { server, ...question, port: sourcePort };
    this.queries.push(seen);
    const answer = this.#rule(seen);
    if (answer === undefined) return {};
    const message = encodeDns({
      id: answer.id ?? query.id,
      response: true,
      recursionDesired: true,
      rcode: answer.rcode ?? 0,
      questions: [answer.question ?? question],
      answers: answer.answers ?? [],
    });
    const udp = {
      sourcePort: targetPort,
      targetPort: sourcePort,
      data: answer.data ?? message,
      ...answer.udp,
    };
    return { udp, answer };
  }
}

const a = (name: string, address: string): DnsRecord => ({ type: DNS_A, name, address: ip(address) });
const aaaa = (name: string, address: string): DnsRecord => ({ type: DNS_AAAA, name, address: ip6(address) });
const cname = (name: string, canonical: string): DnsRecord => ({ type: DNS_CNAME, name, canonical });

function setUp(rule: (query: Query) => Answer | undefined) {
  const servers = new Servers(rule);
  const bench = new PcBench(servers.answer);
  bench.pc.state.ipv4 = { address: ip("10.0.0.1"), prefixLength: 24, gateway: 0 };
  bench.pc.state.dns = [ip("10.0.0.53"), 0];
  const resolve = (name: string): ResolvedName | undefined => {
    let resolved: ResolvedName | undefined;
    const said = bench.command(function* (host) {
      resolved = yield* resolveName(host, name, {});
    });
    expect(said).toBe("");
    return resolved;
  };
  return { servers, bench, state: bench.pc.state, resolve };
}

/** A server that answers every question of a type with records. */
const always =
  (answers: readonly DnsRecord[]) =>
  ({ type }: Query): Answer => ({
    answers: answers.filter((record) => record.type === type || record.type === DNS_CNAME),
  });

describe("A name", () => {
  test("is resolved to its IPv4 address with one question", () => {
    const { servers, resolve } = setUp(always([a("pc.lab.test", "10.0.0.2")]));
    expect(resolve("pc.lab.test")).toEqual({ ipv4: ip("10.0.0.2"), canonical: "pc.lab.test" });
    expect(servers.queries).toMatchObject([{ server: "10.0.0.53", name: "pc.lab.test", type: DNS_A }]);
  });

  test("is asked for in a datagram with TTL 64, the clock as its id, recursion desired", () => {
    const { bench, resolve } = setUp(always([a("a.b", "10.0.0.2")]));
    resolve("a.b");
    const query = hexOf(bench.sent.at(-1)!.frame);
    const clock = (Math.floor(1_767_225_600) & 0xffff).toString(16).padStart(4, "0");
    expect(query.slice(0, 48)).toBe(`020000000053005079666800080045000031${clock}00004011`);
    expect(query.slice(52, 68)).toBe("0a0000010a000035");
    expect(query.slice(72, 80)).toBe("0035001d");
    expect(query.slice(88)).toBe("0100000100000000000001610162000001" + "0001");
    const port = Number.parseInt(query.slice(68, 72), 16);
    expect(port).toBeGreaterThanOrEqual(1024);
    expect(port).toBeLessThan(65_000);
  });

  test("that is an alias resolves to its canonical name and address", () => {
    const answers = [
      cname("cn.lab.test", "Mid.lab.test"),
      a("www.lab.test", "10.0.0.80"),
      cname("mid.lab.test", "www.lab.test"),
    ];
    const { resolve } = setUp(always(answers));
    expect(resolve("cn.lab.test")).toEqual({ ipv4: ip("10.0.0.80"), canonical: "www.lab.test" });
  });

  test("whose aliases form a cycle is not resolved", () => {
    const { resolve } = setUp(always([cname("a.x", "b.x"), cname("b.x", "a.x")]));
    expect(resolve("a.x")).toBeUndefined();
  });

  test("without an IPv4 address resolves to its IPv6 address", () => {
    const { servers, resolve } = setUp(always([aaaa("six.lab.test", "2001:db8::6")]));
    expect(resolve("six.lab.test")).toEqual({ ipv6: ip6("2001:db8::6"), canonical: "six.lab.test" });
    expect(servers.queries.map(({ type }) => type)).toEqual([DNS_A, DNS_AAAA]);
    expect(new Set(servers.queries.map(({ port }) => port)).size).toBe(1);
  });

  test("that does not exist is not resolved, and the PC does not ask the second server", () => {
    const { servers, state, bench, resolve } = setUp(() => ({ rcode: 3 }));
    state.dns = [ip("10.0.0.53"), ip("10.0.0.54")];
    expect(resolve("no.lab.test")).toBeUndefined();
    expect(servers.queries.map(({ server }) => server)).toEqual(["10.0.0.53", "10.0.0.53"]);
    expect(bench.nowUs).toBeLessThan(1_000_000);
  });

  test("ignores records of other names in the answer", () => {
    const { resolve } = setUp(always([a("evil.test", "6.6.6.6")]));
    expect(resolve("pc.lab.test")).toBeUndefined();
  });

  test("matches in any case", () => {
    const { resolve } = setUp(always([a("PC.LAB.test", "10.0.0.2")]));
    expect(resolve("pc.lab.TEST")).toEqual({ ipv4: ip("10.0.0.2"), canonical: "pc.lab.TEST" });
  });
});

describe("A name without a dot", () => {
  test("is resolved in the PC's domain", () => {
    const { servers, state, resolve } = setUp(always([a("pc.lab.test", "10.0.0.2")]));
    state.domain = "lab.test";
    expect(resolve("pc")).toEqual({ ipv4: ip("10.0.0.2"), canonical: "pc.lab.test" });
    expect(servers.queries[0]?.name).toBe("pc.lab.test");
  });

  test("without a domain fails at once", () => {
    const { bench, resolve } = setUp(always([a("pc", "10.0.0.2")]));
    expect(resolve("pc")).toBeUndefined();
    expect(bench.sent).toEqual([]);
  });
});

describe("Servers", () => {
  test("the PC asks the next server after a silent second, IPv6 servers last", () => {
    const { servers, state, bench, resolve } = setUp(() => undefined);
    state.dns = [ip("10.0.0.53"), ip("10.0.0.54")];
    state.ipv6.global = { address: "2001:db8::1", prefixLength: 64, eui64: false };
    state.ipv6.dns = ["2001:db8::53", "2001:db8::54"];
    state.ipv6.neighbours = ["2001:db8::53", "2001:db8::54"].map((address) => ({ address, mac: SERVER_MAC }));
    expect(resolve("a.b")).toBeUndefined();
    expect(servers.queries.map(({ server }) => server)).toEqual([
      "10.0.0.53",
      "10.0.0.54",
      "2001:db8::53",
      "2001:db8::54",
    ]);
    expect(Math.round(bench.nowUs / 1e5)).toBe(40);
  });

  test("a server over IPv6 answers, too", () => {
    const { state, resolve } = setUp(always([a("a.b", "10.0.0.2")]));
    state.dns = [0, 0];
    state.ipv6.global = { address: "2001:db8::1", prefixLength: 64, eui64: false };
    state.ipv6.dns = ["2001:db8::53", ""];
    state.ipv6.neighbours = [{ address: "2001:db8::53", mac: SERVER_MAC }];
    expect(resolve("a.b")).toMatchObject({ ipv4: ip("10.0.0.2") });
  });

  test("a server that fails counts as a silent one", () => {
    const { state, resolve } = setUp(({ server, type }) =>
      server === "10.0.0.53" ? { rcode: 2 } : always([a("a.b", "10.0.0.2")])({ type } as Query),
    );
    state.dns = [ip("10.0.0.53"), ip("10.0.0.54")];
    expect(resolve("a.b")).toMatchObject({ ipv4: ip("10.0.0.2") });
  });

  test("the PC sends nothing without servers", () => {
    const { state, bench, resolve } = setUp(() => undefined);
    state.dns = [0, 0];
    expect(resolve("a.b")).toBeUndefined();
    expect(bench.sent).toEqual([]);
  });

  test("the PC skips a server that it has no gateway for", () => {
    const { state, bench, resolve } = setUp(always([a("a.b", "10.0.0.2")]));
    state.dns = [ip("8.8.8.8"), 0];
    expect(resolve("a.b")).toBeUndefined();
    expect(bench.nowUs).toBe(0);
    state.dns = [ip("8.8.8.8"), ip("10.0.0.53")];
    expect(resolve("a.b")).toMatchObject({ ipv4: ip("10.0.0.2") });
  });

  test.each<[string, Answer]>([
    ["to another question's id", { id: 0x1_0000 - 1 }],
    ["to another question", { question: { name: "c.d", type: DNS_A } }],
    ["from another port", { udp: { sourcePort: 5353 } }],
    ["to another port", { udp: { targetPort: 1023 } }],
    ["to another address", { target: "10.0.0.9" }],
    ["that is no message", { data: Uint8Array.of(1, 2, 3) }],
  ])("an answer %s is ignored", (_what, difference) => {
    const { bench, resolve } = setUp(() => ({ answers: [a("a.b", "6.6.6.6")], ...difference }));
    expect(resolve("a.b")).toBeUndefined();
    expect(bench.nowUs).toBeGreaterThanOrEqual(1_000_000);
  });

  test.each(["a..b", ".a", `${"x".repeat(64)}.test`, "ü漢.test"])("%j is not a valid name", (name) => {
    const { servers, resolve } = setUp(always([]));
    expect(resolve(name)).toBeUndefined();
    expect(servers.queries).toEqual([]);
  });

  test("the PC neither throws nor accepts an answer for any bytes that they send", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (tail) => {
        const { resolve } = setUp(() => ({ data: Uint8Array.of(0, 0, 0x81, 0x80, ...tail) }));
        expect(resolve("a.b")).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});
