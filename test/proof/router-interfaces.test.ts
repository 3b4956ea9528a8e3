/** tshark reads what routers send by subinterfaces, as virtual routers and into tunnels, and has no complaints. */
import { Router } from "@wirelab/engine/devices/router/index";
import { describe, expect, test } from "vitest";
import { DeviceBench } from "../helpers/engine/device-bench.ts";
import { complaints, decodeFields, hasTshark } from "../helpers/proof/tshark.ts";
import { specOf } from "../unit/engine/devices/router/probe.ts";

/** Two routers with a cable, each with these properties of its number. */
function play(properties: (host: number) => object, ...lines: string[]): DeviceBench {
  const bench = new DeviceBench();
  for (const host of [1, 2]) {
    const spec = { ...specOf(properties(host), `R${host}`), mac: 0x0200_0000_0000 + host * 256 };
    bench.add(`R${host}`, (world) => new Router(spec, world)).start();
  }
  bench.wire(["R1", 0], ["R2", 0]);
  bench.run(6_000_000);
  for (const line of lines) bench.type("R1", line);
  return bench;
}

const read = (bench: DeviceBench, fields: readonly string[]) => {
  const frames = bench.frames.map(({ atUs, frame }) => ({ atUs, frame }) as never);
  expect(complaints(frames)).toEqual([]);
  return decodeFields(frames, fields);
};

describe.skipIf(!hasTshark)("tshark (skipped if it is not installed)", () => {
  test("reads both tags of a subinterface", () => {
    const bench = play(
      (host) => ({
        ports: [{}],
        interfaces: [
          {
            name: "Ethernet0.1",
            vlan: 30,
            outer_vlan: 100,
            ipv4: `10.0.0.${host}/24`,
            ipv6: `fd00::${host}/64`,
          },
        ],
      }),
      "ping 10.0.0.2 -c 1 -s 2000",
      "ping fd00::2 -c 1",
    );
    const rows = read(bench, ["ieee8021ad.id", "vlan.id"]);
    expect(rows.length).toBeGreaterThan(8);
    expect(new Set(rows.map((row) => Object.values(row).join(" ")))).toEqual(new Set(["100 30"]));
  });

  test("reads advertisements of virtual routers, and their checksums are right", () => {
    const bench = play((host) => ({
      ports: [
        {
          ipv4: `10.0.0.${host}/24`,
          ipv6: `fd00::${host}/64`,
          vrrp: [
            {
              id: 7,
              ipv4: ["10.0.0.254"],
              ipv6: ["fe80::7", "fd00::254"],
              priority: 100 + host,
              advertisement_interval_cs: 50,
            },
          ],
        },
      ],
    }));
    const fields = [
      "vrrp.version",
      "vrrp.virt_rtr_id",
      "vrrp.prio",
      "vrrp.short_adver_int",
      "vrrp.checksum.status",
      "eth.src",
    ];
    const rows = read(bench, fields).filter((row) => row["vrrp.version"] !== "");
    const shown = rows.map((row) => fields.map((field) => row[field]).join(" "));
    expect(shown.length).toBeGreaterThan(10);
    expect(new Set(shown)).toEqual(
      new Set(["3 7 102 50 1 00:00:5e:00:01:07", "3 7 102 50 1 00:00:5e:00:02:07"]),
    );
  });

  test("reads what is in tunnels, with their keys", () => {
    const bench = play(
      (host) => ({
        ports: [{ ipv4: `192.0.2.${host}/24` }],
        interfaces: [
          {
            type: "gre",
            name: "tun0",
            local: `192.0.2.${host}`,
            remote: `192.0.2.${3 - host}`,
            key: 7,
            ipv4: `172.16.0.${host}/30`,
            ipv6: `fd00::${host}/64`,
          },
        ],
      }),
      "ping 172.16.0.2 -c 1 -s 2000",
      "ping fd00::2 -c 1",
    );
    const rows = read(bench, ["gre.key", "gre.proto", "icmp.type", "icmpv6.type"]);
    const inside = rows.filter((row) => row["gre.key"] !== "").map((row) => Object.values(row).join(" "));
    expect(inside.filter((row) => row.endsWith("128") || row.endsWith("129"))).toEqual([
      "0x00000007 0x86dd  128",
      "0x00000007 0x86dd  129",
    ]);
    expect(inside.filter((row) => row.startsWith("0x00000007 0x0800"))).toHaveLength(4);
  });
});
