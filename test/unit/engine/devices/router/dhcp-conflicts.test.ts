/** Addresses that a host already uses: the order of packets according to RFC 2131 (sections 2.2, 3.1 and 4.4.4). */

import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router } from "@wirelab/engine/devices/router/index";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { describe, expect, it } from "vitest";
import { Hub } from "../../../../../packages/engine/devices/hub/index.ts";
import { decodeDhcp } from "../../../../../packages/engine/wire/dhcp.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { specOf } from "./probe.ts";

const POOL = { first: "10.0.1.100", last: "10.0.1.101" };

/** R1, PC1 and PC2 on a hub. */
function makeLan(dhcp: object = POOL): DeviceBench {
  const bench = new DeviceBench();
  bench.add("R1", (world) => new Router(specOf({ ports: [{ ipv4: "10.0.1.1/24", dhcp }] }), world));
  bench.add("HUB", (world) => new Hub({ type: "ethernet_hub", name: "HUB", ports: 3 }, world));
  bench.wire(["R1", 0], ["HUB", 0]);
  for (const [index, name] of ["PC1", "PC2"].entries()) {
    bench.add(
      name,
      (world) => new Pc({ type: "vpcs", name, index, startupScript: "", ignoresChecksums: false }, world),
    );
    bench.wire([name, 0], ["HUB", index + 1]);
  }
  return bench;
}

/** The sender and summary of each frame, without the hub's copies. */
const conversation = (bench: DeviceBench, fromUs = 0): string[] =>
  bench.frames
    .filter(({ from, atUs }) => from !== "HUB" && atUs >= fromUs)
    .map(({ from, frame }) => `${from}: ${decodePacket(frame, frame.length, "DLT_EN10MB").info}`)
    .map((line) => line.replace(/ xid=\S+/, "").replace(/ id=0x\S+ seq=(\d).*/, " seq=$1"));

describe("an address that a host uses", () => {
  it("is detected before the offer and set aside, and the next one is offered", () => {
    const bench = makeLan();
    bench.type("PC1", "ip 10.0.1.100/24");
    const beginUs = bench.nowUs;
    expect(bench.type("PC2", "ip dhcp")).toContain("DORA IP 10.0.1.101/24");
    expect(conversation(bench, beginUs).slice(0, 9)).toMatchInlineSnapshot(`
      [
        "PC2: Discover client=00:50:79:66:68:01 name=PC2",
        "R1: Who has 10.0.1.100? Tell 10.0.1.1",
        "PC1: 10.0.1.100 is at 00:50:79:66:68:00",
        "R1: Echo request seq=1",
        "PC1: Echo reply seq=1",
        "R1: Who has 10.0.1.101? Tell 10.0.1.1",
        "R1: Offer 10.0.1.101 client=00:50:79:66:68:01",
        "PC2: Request asks for 10.0.1.101 client=00:50:79:66:68:01 name=PC2",
        "R1: Ack 10.0.1.101 client=00:50:79:66:68:01",
      ]
    `);
    expect(bench.type("R1", "show dhcp")).toMatch(/10\.0\.1\.100 +- +- +in use +\d+ s/);
  });

  it("is not offered for an hour, even if no other is free", () => {
    const bench = makeLan({ ...POOL, last: POOL.first });
    bench.type("PC1", "ip 10.0.1.100/24");
    expect(bench.type("PC2", "ip dhcp")).toContain("DDD\nCan't find dhcp server");
    bench.type("PC1", "clear ip");
    expect(bench.type("PC2", "ip dhcp")).toContain("Can't find dhcp server");
    bench.run(bench.nowUs + 3_600e6);
    expect(bench.type("PC2", "ip dhcp")).toContain("DORA IP 10.0.1.100/24");
  });

  it("after the offer is detected by the client, which declines it and starts again", () => {
    const bench = makeLan();
    bench.begin("PC1", "sleep 1", "ip 10.0.1.100/24");
    const shown = bench.type("PC2", "ip dhcp");
    expect(shown).toBe(
      "PC2> ip dhcp\nDORA00:50:79:66:68:00 use my ip 10.0.1.100\nDORA IP 10.0.1.101/24 GW 10.0.1.1\n\nPC2> ",
    );
    expect(conversation(bench).filter((line) => line.includes(" client="))).toMatchInlineSnapshot(`
      [
        "PC2: Discover client=00:50:79:66:68:01 name=PC2",
        "R1: Offer 10.0.1.100 client=00:50:79:66:68:01",
        "PC2: Request asks for 10.0.1.100 client=00:50:79:66:68:01 name=PC2",
        "R1: Ack 10.0.1.100 client=00:50:79:66:68:01",
        "PC2: Decline asks for 10.0.1.100 client=00:50:79:66:68:01",
        "PC2: Discover client=00:50:79:66:68:01 name=PC2",
        "R1: Offer 10.0.1.101 client=00:50:79:66:68:01",
        "PC2: Request asks for 10.0.1.101 client=00:50:79:66:68:01 name=PC2",
        "R1: Ack 10.0.1.101 client=00:50:79:66:68:01",
      ]
    `);
    const times = bench.frames
      .filter(({ from, frame }) => from === "PC2" && isDhcp(frame))
      .map(({ atUs }) => atUs);
    // Discover, request, decline, and ten seconds later the next discover (RFC 2131, section 3.1, step 5).
    expect(times[3]! - times[2]!).toBe(10_000_000);
    expect(bench.type("R1", "show dhcp")).toMatch(/10\.0\.1\.100 +- +- +in use/);
  });

  it("is declined at most three times", () => {
    const bench = makeLan({ first: "10.0.1.100", last: "10.0.1.110" });
    const takes = [
      "sleep 1",
      "ip 10.0.1.100/24",
      "sleep 9",
      "ip 10.0.1.101/24",
      "sleep 9",
      "ip 10.0.1.102/24",
    ];
    bench.begin("PC1", ...takes);
    const shown = bench.type("PC2", "ip dhcp", "show ip");
    expect(shown.match(/use my ip/g)?.length).toBe(3);
    expect(shown).toMatch(/IP\/MASK +: 0\.0\.0\.0\/0/);
  });
});

describe("an address that no host uses", () => {
  it("is offered half a second after the discover, before the client repeats it", () => {
    const bench = makeLan();
    bench.type("PC1", "ip dhcp");
    expect(conversation(bench).slice(0, 5)).toMatchInlineSnapshot(`
      [
        "PC1: Discover client=00:50:79:66:68:00 name=PC1",
        "R1: Who has 10.0.1.100? Tell 10.0.1.1",
        "R1: Offer 10.0.1.100 client=00:50:79:66:68:00",
        "PC1: Request asks for 10.0.1.100 client=00:50:79:66:68:00 name=PC1",
        "R1: Ack 10.0.1.100 client=00:50:79:66:68:00",
      ]
    `);
    const offer = bench.frames.find(({ from, frame }) => from === "R1" && isDhcp(frame));
    expect(offer!.atUs).toBeGreaterThanOrEqual(500_000);
    expect(offer!.atUs).toBeLessThan(600_000);
  });

  it("is offered without a probe to the client that has it", () => {
    const bench = makeLan();
    bench.type("PC1", "ip dhcp");
    const beginUs = bench.nowUs;
    expect(bench.type("PC1", "ip dhcp -r")).toContain("DORA IP 10.0.1.100/24");
    expect(conversation(bench, beginUs).slice(0, 2)).toEqual([
      "PC1: Discover asks for 10.0.1.100 client=00:50:79:66:68:00 name=PC1",
      "R1: Offer 10.0.1.100 client=00:50:79:66:68:00",
    ]);
  });
});

const isDhcp = (frame: Uint8Array): boolean => frame.length > 282 && decodeDhcp(frame.subarray(42)) !== null;
