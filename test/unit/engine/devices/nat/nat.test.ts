import { parseNatProperties } from "@wirelab/engine/devices/nat/properties";
import { Pc } from "@wirelab/engine/devices/pc/index";
import { describe, expect, it } from "vitest";
import { Nat } from "../../../../../packages/engine/devices/nat/index.ts";
import { type HostState, Server } from "../../../../../packages/engine/devices/server/index.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { serverSpec } from "../../../../helpers/engine/server-bench.ts";

const INTERNET = {
  internet: [
    { name: "www.example.com", files: { "/": "hello", "/news": "none" } },
    { name: "Mirror.example.net", address: "9.9.9.9", files: { "/": "mirror" } },
  ],
};

function specOf(properties: object) {
  const parsed = parseNatProperties(properties);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { type: "nat", name: "NAT1", mac: 0x0257_4e00_0000, ...parsed.config } as const;
}

function natWithPc(): { bench: DeviceBench; nat: Nat } {
  const bench = new DeviceBench();
  const pc = bench.add(
    "PC1",
    (world) => new Pc({ type: "vpcs", name: "PC1", index: 1, startupScript: "ip dhcp" }, world),
  );
  const nat = bench.add("NAT1", (world) => new Nat(specOf(INTERNET), world));
  nat.start();
  bench.wire(["PC1", 0], ["NAT1", 0]);
  pc.start();
  bench.run();
  return { bench, nat };
}

describe("a PC behind a NAT node", () => {
  it("gets an address, a gateway and a name server", () => {
    const lines = natWithPc().bench.type("PC1", "show ip");
    expect(lines).toMatch(/IP\/MASK +: 192\.168\.122\.2\/24/);
    expect(lines).toMatch(/GATEWAY +: 192\.168\.122\.1\n/);
    expect(lines).toMatch(/DNS +: 192\.168\.122\.1/);
  });

  it("reaches declared hosts by name and by address, and no others", () => {
    const { bench } = natWithPc();
    expect(bench.type("PC1", "ping www.example.com -c 1")).toContain("84 bytes from 203.0.113.1");
    expect(bench.type("PC1", "ping mirror.example.net -c 1")).toContain("84 bytes from 9.9.9.9");
    expect(bench.type("PC1", "ping other.example.com -c 1")).toContain("Cannot resolve other.example.com");
    expect(bench.type("PC1", "ping 8.8.8.8 -c 1")).toContain("8.8.8.8 icmp_seq=1 timeout");
  });
});

it("each host has files of its own", () => {
  const bench = new DeviceBench();
  const client = { ipv4: "192.168.122.50/24", gateway: "192.168.122.1" };
  bench.add("NAT1", (world) => new Nat(specOf(INTERNET), world)).start();
  bench.add("A", (world) => new Server(serverSpec("A", 1, client), world)).start();
  bench.wire(["A", 0], ["NAT1", 0]);
  bench.run();
  expect(bench.type("A", "http get http://203.0.113.1/")).toContain("hello");
  expect(bench.type("A", "http get http://9.9.9.9/")).toContain("mirror");
  expect(bench.type("A", "http get http://9.9.9.9/news")).toContain("404");
  expect(bench.type("A", "http get http://192.168.122.1/")).toContain("404");
});

it("keeps its leases between runs", () => {
  const before = natWithPc().nat;
  const state = JSON.parse(JSON.stringify(before.saveState())) as HostState;
  expect(JSON.stringify(state)).toContain("192.168.122.2");
  const again = new DeviceBench();
  const nat = again.add("NAT1", (world) => new Nat(specOf(INTERNET), world, state));
  nat.resume();
  expect(nat.saveState()).toEqual(state);
});

describe("properties", () => {
  it("need none", () => {
    expect(parseNatProperties(undefined)).toEqual({ ok: true, config: { internet: [] } });
  });

  it.each([
    [{ hosts: [] }, "hosts", "is not a known property; known are internet"],
    [{ internet: {} }, "internet", "must be an array"],
    [{ internet: [{}] }, "internet.0.name", "must be a string"],
    [{ internet: [{ name: "a b" }] }, "internet.0.name", "is not a domain name"],
    [{ internet: [{ name: "a.b", address: "::1" }] }, "internet.0.address", ""],
    [
      { internet: [{ name: "a.b", address: "224.0.0.1" }] },
      "internet.0.address",
      "224.0.0.1 is a multicast address",
    ],
    [{ internet: [{ name: "a.b", address: "192.168.122.7" }] }, "internet.0.address", "overlaps"],
    [
      {
        internet: [
          { name: "a.b", address: "1.1.1.1" },
          { name: "c.d", address: "1.1.1.1" },
        ],
      },
      "internet.1.address",
      "overlaps",
    ],
    [{ internet: [{ name: "a.b" }, { name: "A.B" }] }, "internet.1.name", "a.b is also the name of host 0"],
    [{ internet: [{ name: "a.b", files: { index: "" } }] }, "internet.0.files.index", "must begin with /"],
  ])("refuse %j with the path", (properties, path, message) => {
    const parsed = parseNatProperties(properties);
    const problems = parsed.ok ? [] : parsed.problems;
    expect(problems.map((problem) => problem.path.join("."))).toContain(path);
    expect(problems.map((problem) => problem.message).join("; ")).toContain(message);
  });
});
