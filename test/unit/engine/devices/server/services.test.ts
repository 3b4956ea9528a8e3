import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router } from "@wirelab/engine/devices/router/index";
import { ETHERTYPE_IPV4, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { type HostState, Server } from "../../../../../packages/engine/devices/server/index.ts";
import { answerRequest } from "../../../../../packages/engine/net/host/http.ts";
import { BENCH_START_US, DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { A, B, SERVER_MAC, say, serverSpec, twoServers } from "../../../../helpers/engine/server-bench.ts";
import { specOf } from "../router/probe.ts";

function withPc(properties: object = B): DeviceBench {
  const bench = new DeviceBench();
  const startupScript = "ip 10.0.0.1/24\nip dns 10.0.0.2";
  const pc = bench.add(
    "PC1",
    (world) => new Pc({ type: "vpcs", name: "PC1", index: 1, startupScript }, world),
  );
  bench.add("B", (world) => new Server(serverSpec("B", 2, properties), world)).start();
  bench.wire(["PC1", 0], ["B", 0]);
  pc.start();
  bench.run();
  return bench;
}

describe("a server and a PC", () => {
  it("open a TCP connection to the echo port, send data and close it (ping -P 6)", () => {
    const lines = withPc().type("PC1", "ping 10.0.0.2 -P 6 -c 2");
    expect(lines).toMatch(/Connect +7@10\.0\.0\.2 seq=2 ttl=64 time=/);
    expect(lines).toMatch(/SendData +7@10\.0\.0\.2 seq=2 ttl=64 time=/);
    expect(lines).toMatch(/Close +7@10\.0\.0\.2 seq=2 ttl=64 time=/);
  });

  it("connect again from a port whose connection waits in TIME-WAIT, by the timestamp (RFC 6191)", () => {
    // The server closes first, because a request that is none ends the connection.
    const bench = withPc({ ...B, http: { files: { "/": "hello" } } });
    expect(bench.type("PC1", "ping 10.0.0.2 -P 6 -p 80 -c 1")).toContain("Close     80@10.0.0.2 seq=1");
    expect(bench.type("B", "show connections")).toContain("TIME-WAIT");
    // Each connection has another initial number, later or earlier than the last.
    const lines = bench.type("PC1", "ping 10.0.0.2 -P 6 -p 80 -c 8");
    expect(lines.match(/Close +80@/g)).toHaveLength(8);
  });

  it("get a reset from a closed port", () => {
    expect(withPc({ ...B, echo: false }).type("PC1", "ping 10.0.0.2 -P 6 -c 1")).toContain(
      "Connect   7@10.0.0.2 RST returned",
    );
  });

  it("exchange datagrams with the echo port, and names", () => {
    const bench = withPc({ ...B, dns: { "www.lab": ["10.0.0.2", "2001:db8::2"] } });
    expect(bench.type("PC1", "ping 10.0.0.2 -P 17 -c 1")).toContain("udp_seq=1");
    expect(bench.type("PC1", "ping www.lab -c 1")).toContain("84 bytes from 10.0.0.2");
    expect(bench.type("PC1", "ping other.lab -c 1")).toContain("Cannot resolve other.lab");
  });
});

describe("DNS", () => {
  it.each([
    ["the root", [0]],
    ["a name of bytes that are no characters", [3, 0x2e, 0xff, 0, 0]],
  ])("has no addresses of %s, and answers with the question as it came", (_what, name) => {
    const bench = withPc({ ...B, dns: { "www.lab": ["10.0.0.2"] } });
    const [source, target] = [parseIpv4("10.0.0.1")!, parseIpv4("10.0.0.2")!];
    const data = Uint8Array.of(0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...name, 0, 1, 0, 1);
    const udp = encodeUdp4(source, target, { sourcePort: 1_234, targetPort: 53, data });
    const [packet] = encodeIpv4({ source, target, protocol: PROTOCOL_UDP }, udp);
    bench.inject("B", 0, encodeEthernet(SERVER_MAC + 2, 0x0200_0000_0001, ETHERTYPE_IPV4, packet!));
    bench.run();
    const answers = bench.frames.filter(({ from, frame }) => from === "B" && frame[23] === PROTOCOL_UDP);
    expect(answers.map(({ frame }) => [...frame.subarray(42, 42 + data.length)])).toEqual([
      [0, 7, 0x81, 3, ...data.subarray(4)],
    ]);
  });
});

describe("NTP", () => {
  it("answers with the lab's clock and the client's own time", () => {
    const bench = withPc({ ...B, ntp: true });
    const [source, target] = [parseIpv4("10.0.0.1")!, parseIpv4("10.0.0.2")!];
    const request = new Uint8Array(48);
    request[0] = (4 << 3) | 3;
    request[47] = 99;
    const udp = encodeUdp4(source, target, { sourcePort: 1_234, targetPort: 123, data: request });
    const [packet] = encodeIpv4({ source, target, protocol: PROTOCOL_UDP }, udp);
    bench.inject("B", 0, encodeEthernet(SERVER_MAC + 2, 0x0200_0000_0001, ETHERTYPE_IPV4, packet!));
    bench.run();
    const frame = bench.frames.findLast(
      ({ from, frame }) => from === "B" && frame[23] === PROTOCOL_UDP,
    )!.frame;
    const view = new DataView(frame.buffer, frame.byteOffset + 42);
    expect([view.getUint8(0), view.getUint8(1), view.getUint8(31)]).toEqual([(4 << 3) | 4, 1, 99]);
    expect(view.getUint32(40) - 2_208_988_800).toBe(Math.floor((BENCH_START_US + bench.nowUs) / 1e6));
  });
});

describe("HTTP", () => {
  const http = { port: 80, files: { "/": "ü" } };
  const headOf = (request: string) => answerRequest(request, http).text.split("\r\n")[0];

  it.each([
    ["GET / HTTP/1.1\r\nHost: x", "HTTP/1.1 200 OK"],
    ["GET /?a=b HTTP/1.0", "HTTP/1.1 200 OK"],
    ["GET /no HTTP/1.1", "HTTP/1.1 404 Not Found"],
    ["POST / HTTP/1.1", "HTTP/1.1 405 Method Not Allowed"],
    ["GET / HTTP/2.0", "HTTP/1.1 505 HTTP Version Not Supported"],
    ["nonsense", "HTTP/1.1 400 Bad Request"],
  ])("answers %j with %j", (request, status) => expect(headOf(request)).toBe(status));

  it("counts bytes of UTF-8, sends no body for HEAD, and keeps a connection unless the client does not", () => {
    const { text, isLast } = answerRequest("GET / HTTP/1.1", http);
    expect(text).toMatch(/Content-Length: 2\r\n\r\n\u00c3\u00bc$/);
    expect(isLast).toBe(false);
    expect(answerRequest("HEAD / HTTP/1.1", http).text).toMatch(/Content-Length: 2\r\n\r\n$/);
    expect(answerRequest("GET / HTTP/1.1\r\nConnection: Close", http).isLast).toBe(true);
    expect(answerRequest("GET / HTTP/1.0", http).isLast).toBe(true);
  });
});

describe("the state of a server", () => {
  it("continues a transfer in the middle, as plain JSON", () => {
    const first = twoServers();
    first.bench.begin("A", "send 10.0.0.2 -n 3M");
    first.bench.run(1_000);
    const [a, b] = [first.a, first.b].map(
      (server) => JSON.parse(JSON.stringify(server.saveState())) as HostState,
    );
    expect(a!.connections[0]!.tcb.state).toBe("FIN-WAIT-1");
    const bench = new DeviceBench();
    const sender = bench.add("A", (world) => new Server(serverSpec("A", 1, A), world, a));
    const receiver = bench.add("B", (world) => new Server(serverSpec("B", 2, B), world, b));
    bench.wire(["A", 0], ["B", 0]);
    sender.resume();
    receiver.resume();
    bench.run();
    expect(say({ bench }, "B", "show throughput")[0]).toContain(": 3000000 bytes in");
    expect(say({ bench }, "A", "show throughput")[0]).toContain(": 3000000 bytes in");
  });

  it("carries out the orders of its properties, also in a later run", () => {
    const order = { to: "10.0.0.2", bytes: 1_000, after: 5 };
    const first = twoServers({ ...A, send: [order, { to: "10.9.0.1", seconds: 1, after: 6 }] });
    first.bench.run(1_000_000);
    const state = JSON.parse(JSON.stringify(first.a.saveState())) as HostState;
    expect(state.waiting).toHaveLength(2);
    const second = twoServers({ ...A, send: [order, { to: "10.9.0.1", seconds: 1, after: 6 }] }, B, state);
    second.bench.run(10_000_000);
    expect(say(second, "A", "show throughput")).toEqual([
      expect.stringMatching(/^sent to 10\.0\.0\.2 port 5001: 1000 bytes/),
      expect.stringMatching(/^sent to 10\.9\.0\.1 port 5001: 0 bytes .*, no route to 10\.9\.0\.1$/),
    ]);
  });
});

describe("a neighbour", () => {
  it.each(["10.0.0.2", "2001:db8::2"])("stays known while it brings data to %s", (target) => {
    const bed = twoServers();
    const expiry = (): number => {
      const { arp, neighbours } = bed.a.saveState().network;
      return [...arp, ...neighbours][0]![3];
    };
    say(bed, "A", `send ${target} -n 10k`);
    const first = expiry();
    bed.bench.run(200_000_000);
    say(bed, "A", `send ${target} -n 10k`);
    expect(expiry() - first).toBeGreaterThan(190_000_000);
    expect(
      bed.bench.frames.filter(({ from, frame }) => from === "A" && frame[0] === 0xff).length,
    ).toBeLessThan(2);
  });
});

describe("a path with a smaller MTU", () => {
  it.each(["10.0.2.2", "2001:db8:2::2"])("makes the segments to %s smaller, without a timeout", (target) => {
    const bench = new DeviceBench();
    const [a, b] = [1, 2].map((n) => ({
      ipv4: `10.0.${n}.2/24`,
      ipv6: `2001:db8:${n}::2/64`,
      gateway: `10.0.${n}.1`,
      gateway6: `2001:db8:${n}::1`,
    }));
    bench.add("A", (world) => new Server(serverSpec("A", 1, a!), world)).start();
    bench.add("B", (world) => new Server(serverSpec("B", 2, b!), world)).start();
    const ports = [
      { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" },
      { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64", mtu: 1_300 },
    ];
    bench.add("R", (world) => new Router(specOf({ ports }), world));
    bench.wire(["A", 0], ["R", 0]);
    bench.wire(["R", 1], ["B", 0]);
    expect(say({ bench }, "A", `send ${target} -n 200k`)[0]).toMatch(/200000 bytes .* 0 timeouts$/);
    const largest = bench.frames
      .filter(({ from, port }) => from === "R" && port === 1)
      .map(({ frame }) => frame.length);
    expect(Math.max(...largest)).toBe(1_314);
  });
});

describe("a server is no router", () => {
  it("does not forward, answers no router solicitation, and advertises itself as a host", () => {
    const bed = twoServers({ ...A, gateway: "10.0.0.2" }, B);
    const lines = say(bed, "A", "ping 10.9.0.1 -c 1");
    expect(lines.at(-1)).toBe("1 sent, 0 received, 100% lost");
    expect(say(bed, "A", "ping 2001:db8::2 -c 1")[2]).toBe("1 sent, 1 received, 0% lost");
    const advertisements = bed.bench.frames.filter(({ frame }) => frame[12] === 0x86 && frame[54] === 136);
    expect(advertisements.length).toBeGreaterThan(0);
    for (const { frame } of advertisements) expect(frame[58]! & 0x80).toBe(0);
  });
});
