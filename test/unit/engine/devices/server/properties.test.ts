import { describe, expect, it } from "vitest";
import { parseServerProperties } from "../../../../../packages/engine/devices/server/properties.ts";

const problemsOf = (properties: unknown): string[] => {
  const parsed = parseServerProperties(properties);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")} ${message}`);
};

describe("the properties of a server", () => {
  it("have defaults", () => {
    expect(parseServerProperties(undefined)).toEqual({
      ok: true,
      config: {
        mtuBytes: 1_500,
        tcp: {
          congestion: "cubic",
          receiveBufferBytes: 4_194_304,
          windowScaling: true,
          timestamps: true,
          sack: true,
        },
        echo: true,
        sinkPort: 5_001,
        ntp: false,
        sends: [],
      },
    });
  });

  it("are read whole", () => {
    const parsed = parseServerProperties({
      ipv4: "10.0.0.2/24",
      ipv6: "2001:db8::2/64",
      gateway: "10.0.0.1",
      gateway6: "2001:db8::1",
      mtu: 9_000,
      echo: false,
      sink: { port: 9 },
      http: { port: 8_080, files: { "/a": "b" } },
      dns: { "WWW.lab": "10.0.0.2" },
      send: { to: "10.0.0.3", seconds: 5, congestion: "newreno" },
    });
    expect(parsed).toMatchObject({
      ok: true,
      config: {
        gateway: "10.0.0.1",
        gateway6: "2001:db8::1",
        mtuBytes: 9_000,
        sinkPort: 9,
        http: { port: 8_080 },
        names: { "www.lab": ["10.0.0.2"] },
        sends: [{ to: "10.0.0.3", port: 5_001, seconds: 5, congestion: "newreno", afterSeconds: 0 }],
      },
    });
  });

  it("leave ECN and HyStart++ out of the configuration if they are as by default", () => {
    const tcpOf = (tcp: object) => parseServerProperties({ tcp });
    expect(tcpOf({ ecn: "accept", hystart: false })).toEqual(parseServerProperties({}));
    expect(tcpOf({ ecn: "on", hystart: true })).toMatchObject({
      config: { tcp: { ecn: "on", hystart: true } },
    });
    expect(tcpOf({ ecn: "off" })).toMatchObject({ config: { tcp: { ecn: "off" } } });
  });

  it.each([
    [[], "must be an object"],
    [{ ports: [] }, "ports is not a known property; known are ipv4, ipv6,"],
    [{ ipv4: "10.0.0.2" }, 'ipv4 "10.0.0.2" is not an IPv4 address with prefix length'],
    [{ ipv4: "10.0.0.2/24", gateway: "10.9.0.1" }, "gateway "],
    [{ ipv6: "2001:db8::2/64", gateway6: "10.0.0.1" }, "gateway6 "],
    [{ mtu: 1 }, "mtu must be 68 to 9216, not 1"],
    [{ tcp: { congestion: "vegas" } }, "tcp.congestion must be one of cubic, newreno, bbr"],
    [{ tcp: { receive_buffer: 1 } }, "tcp.receive_buffer must be 2048 to 67108864, not 1"],
    [{ tcp: { sack: 1 } }, "tcp.sack must be true or false"],
    [{ tcp: { ecn: true } }, "tcp.ecn must be on, accept or off"],
    [{ tcp: { hystart: 1 } }, "tcp.hystart must be true or false"],
    [{ echo: "yes" }, "echo must be true or false"],
    [{ sink: { port: 0 } }, "sink.port must be 1 to 65535, not 0"],
    [{ sink: { port: 7 } }, "sink.port is the port of echo: 7"],
    [{ http: { port: 5_001 } }, "http.port is the port of sink: 5001"],
    [{ http: { files: { a: "" } } }, "http.files.a must begin with / and have no spaces: /index.html"],
    [{ http: { files: { "/a": 1 } } }, "http.files./a must be a string"],
    [
      { http: { files: { "/a": "x".repeat(16_385) } } },
      "http.files./a must have at most 16384 characters, not 16385",
    ],
    [{ http: { files: [] } }, "http.files must be an object"],
    [{ dns: { "a..b": "10.0.0.1" } }, "dns.a..b is not a domain name"],
    [{ dns: { a: "b" } }, 'dns.a "b" is not an IPv4 or IPv6 address'],
    [{ dns: { a: [] } }, "dns.a must have 1 to 8 items, not 0"],
    [{ ntp: 1 }, "ntp must be true or false"],
    [{ send: { to: "10.0.0.1" } }, "send needs either bytes or seconds"],
    [{ send: [{ to: "10.0.0.1", bytes: 1, seconds: 1 }] }, "send.0 needs either bytes or seconds"],
    [{ send: { to: "x", bytes: 1 } }, 'send.to "x" is not an IPv4 or IPv6 address'],
    [{ send: { to: "10.0.0.1", bytes: 0 } }, "send.bytes must be 1 to 1000000000000, not 0"],
  ])("%j: %s", (properties, problem) => {
    expect(problemsOf(properties)).toEqual([expect.stringContaining(problem)]);
  });
});
