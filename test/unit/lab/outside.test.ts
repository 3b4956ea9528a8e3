import { parseOutside } from "@wirelab/lab/read/read-outside";
import { describe, expect, test } from "vitest";
import { parse, report } from "./helpers.ts";

describe("the network behind a cloud", () => {
  test.each([
    [
      "udp:127.0.0.1:20000,10.0.0.2:65535",
      {
        kind: "udp",
        listen: { host: "127.0.0.1", port: 20_000 },
        to: { host: "10.0.0.2", port: 65_535 },
      },
    ],
    [
      "udp:[::1]:1,[fe80::1]:2",
      { kind: "udp", listen: { host: "::1", port: 1 }, to: { host: "fe80::1", port: 2 } },
    ],
    [
      "vxlan:7,10.0.0.1,10.0.0.2:4790",
      {
        kind: "vxlan",
        vni: 7,
        listen: { host: "10.0.0.1", port: 4789 },
        to: { host: "10.0.0.2", port: 4790 },
      },
    ],
    ["tap:tap0", { kind: "tap", name: "tap0" }],
    ["interface:eth0.10", { kind: "interface", name: "eth0.10" }],
  ])("is read from %s", (text, outside) => {
    expect(parseOutside(text)).toEqual(outside);
  });

  test.each([
    ["", "expected udp:LISTEN,TO"],
    ["udp:127.0.0.1:1", "expected udp:LISTEN,TO"],
    [
      "udp:127.0.0.1:1,127.0.0.1:65536",
      'to must be an IP address with a port, as in 127.0.0.1:20000, got "127.0.0.1:65536"',
    ],
    ["udp:[127.0.0.1]:1,127.0.0.1:2", "listen must be an IP address"],
    ["vxlan:,10.0.0.1,10.0.0.2", "vni must be an integer"],
    ["tap:", "must be the name of an interface"],
    ["interface:a-name-of-16-byte", "must be the name of an interface"],
  ])("is not read from %j", (text, message) => {
    expect(() => parseOutside(text)).toThrow(message);
  });

  test("is part of a lab file, and is silent in virtual time", () => {
    const text = `
      nodes:
        pc1: 10.0.0.1/24
        lan: {type: cloud, udp: {listen: "127.0.0.1:1", to: "127.0.0.1:2"}}
      links: [pc1 -- lan]
      run: [{at: 0s, console: {pc1: ping 10.0.0.2 -c 1}}]
    `;
    expect(parse(text).nodes[1]).toMatchObject({ spec: { type: "cloud" }, outside: { kind: "udp" } });
    const { links } = report(text);
    const [out, back] = links;
    expect(out).toMatchObject({ from: "pc1", to: "lan", entered: out!.delivered });
    expect(out!.entered).toBeGreaterThan(0);
    expect(back!.entered).toBe(0);
  });
});
