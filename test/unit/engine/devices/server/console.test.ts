import { describe, expect, it } from "vitest";
import { A, B, say, twoServers } from "../../../../helpers/engine/server-bench.ts";

/** Receives a window of two segments in a round trip: the wire itself has no rate. */
const NARROW = { ...B, tcp: { receive_buffer: 2_048 } };
const HTTP = { files: { "/": "first\nsecond\n" } };

describe("the console of a server", () => {
  it("sends bulk data, and both ends report it", () => {
    const bed = twoServers();
    expect(say(bed, "A", "send 10.0.0.2 -n 100k")).toEqual([
      expect.stringMatching(
        /^sent to 10\.0\.0\.2 port 5001: 100000 bytes in \d+\.\d{3} s, [\d.]+ Mb\/s, 0 retransmissions, 0 timeouts$/,
      ),
    ]);
    expect(say(bed, "B", "show throughput")).toEqual([
      expect.stringMatching(/^received from 10\.0\.0\.1 at port 5001: 100000 bytes in/),
    ]);
    expect(say(bed, "A", "show connections")[1]).toMatch(
      /^TIME-WAIT +10\.0\.0\.1:49152 +10\.0\.0\.2:5001 +cubic/,
    );
    expect(say(bed, "B", "show connections")).toEqual(["No connections."]);
  });

  it("sends for a time, over IPv6, with NewReno", () => {
    const bed = twoServers(A, NARROW);
    expect(say(bed, "A", "send 2001:db8::2 -t 1 -C newreno")[0]).toMatch(
      /^sent to 2001:db8::2 port 5001: \d+ bytes in 1\.\d{3} s/,
    );
  });

  it("fetches files over HTTP", () => {
    const bed = twoServers(A, { ...B, http: HTTP });
    expect(say(bed, "A", "http get 10.0.0.2/")).toEqual([
      "HTTP/1.1 200 OK",
      "Server: wirelab",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Length: 13",
      "Connection: close",
      "",
      "first",
      "second",
      expect.stringMatching(/^13 bytes in \d+\.\d ms$/),
    ]);
    expect(say(bed, "A", "http get http://[2001:db8::2]:80/none")[0]).toBe("HTTP/1.1 404 Not Found");
  });

  it("reports a closed port, a host without an answer, and an address without a route", () => {
    const bed = twoServers(A, { ...B, sink: false });
    expect(say(bed, "A", "send 10.0.0.2 -n 1")[0]).toContain(
      "0 bytes in 0.000 s, 0.00 kb/s, 0 retransmissions, 0 timeouts, refused",
    );
    expect(say(bed, "A", "http get 10.0.0.2:8080")).toEqual(["http get 10.0.0.2:8080: refused"]);
    expect(say(bed, "A", "http get 10.0.0.77")).toEqual(["http get 10.0.0.77: timed out"]);
    expect(say(bed, "A", "send 10.9.0.1 -n 1")).toEqual(["no route to 10.9.0.1"]);
  });

  it.each([
    ["send", "send needs an address: send ADDR -n BYTES|-t SECONDS [-p PORT] [-C cubic|newreno|bbr]"],
    ["send b -n 1", "b is not an address: send ADDR -n BYTES|-t SECONDS [-p PORT] [-C cubic|newreno|bbr]"],
    [
      "send 10.0.0.2",
      "send needs either -n or -t: send ADDR -n BYTES|-t SECONDS [-p PORT] [-C cubic|newreno|bbr]",
    ],
    ["send 10.0.0.2 -n x", "-n takes a number of bytes from 1 to 1000000000000: 500k, 10M, 1G"],
    ["send 10.0.0.2 -n 1 -C vegas", "-C takes one of cubic, newreno, bbr"],
    ["send 10.0.0.2 -n 1 -p 0", "-p takes a number from 1 to 65535"],
    ["http put /", "Usage: http get http://ADDR[:PORT][/PATH]"],
    [
      "http get 10.0.0.2:99999",
      "10.0.0.2:99999 is not an address with a path: http get http://ADDR[:PORT][/PATH]",
    ],
    ["show", "% Command incomplete: show"],
    ["show throughput", "No transfers."],
    ["show arp", "No neighbours."],
    ["reboot", "% Unknown command: reboot"],
  ])("answers %j with %j", (line, answer) => expect(say(twoServers(), "A", line)).toEqual([answer]));

  it("pings, shows its neighbour, and lists its commands", () => {
    const bed = twoServers();
    expect(say(bed, "A", "ping 10.0.0.2 -c 1")[2]).toBe("1 sent, 1 received, 0% lost");
    expect(say(bed, "A", "show arp")[1]).toMatch(/^10\.0\.0\.2 +02:57:53:00:00:02$/);
    expect(say(bed, "A", "traceroute 10.0.0.2").at(-1)).toContain("10.0.0.2");
    expect(say(bed, "A", "help")).toContain("show connections");
    expect(say(bed, "A", "show ip")[1]).toBe("IPv4      10.0.0.1/24, gateway none");
  });

  it("ends a transfer with Ctrl-C, and resets its connection", () => {
    const bed = twoServers(A, NARROW);
    bed.bench.begin("A", "send 10.0.0.2 -t 60");
    bed.bench.run(100_000);
    bed.a.console.interrupt();
    bed.bench.run();
    expect(bed.bench.transcript("A")).toMatch(/\^C\nsent to .*, aborted\n\nA> $/);
    expect(say(bed, "B", "show throughput")[0]).toMatch(/^received .*, reset$/);
  });
});
