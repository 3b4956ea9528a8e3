import type { Device } from "@wirelab/engine/devices/device";
import {
  AGEING_SECONDS,
  EthernetSwitch,
  type SwitchPort,
  type SwitchState,
} from "@wirelab/engine/devices/switch/index";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { pushTag, readTag } from "@wirelab/engine/wire/vlan-tag";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameSlab } from "../../../../../packages/engine/base/frame-slab.ts";
import { Hub } from "../../../../../packages/engine/devices/hub/index.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";

const A = 0x0050_7966_6800;
const B = 0x0050_7966_6801;

const access = (vlan: number): SwitchPort => ({ type: "access", vlan, etherType: 0x8100 });
const trunk = (vlan = 1): SwitchPort => ({ type: "dot1q", vlan, etherType: 0x8100 });
const qinq = (vlan: number, etherType = 0x88a8): SwitchPort => ({ type: "qinq", vlan, etherType });

const frame = (target: number, source: number): Uint8Array =>
  encodeEthernet(target, source, 0x0800, Uint8Array.of(1, 2, 3, 4));
const tagged = (inner: Uint8Array, vlan: number, etherType = 0x8100): Uint8Array =>
  pushTag(inner, { etherType, priority: 0, vlan }, new FrameSlab());

/** A switch that records each frame it sends, with its port. */
function makeSwitch(ports: SwitchPort[], state?: SwitchState) {
  const bench = new DeviceBench();
  const device = bench.add(
    "SW",
    (world) => new EthernetSwitch({ type: "ethernet_switch", name: "SW", ports }, world, state),
  );
  const receive = (port: number, bytes: Uint8Array): { port: number; frame: Uint8Array }[] => {
    const before = bench.frames.length;
    bench.inject("SW", port, bytes);
    bench.run();
    return bench.frames.slice(before).map(({ port, frame }) => ({ port, frame }));
  };
  return { bench, device, receive };
}

const ports = (sent: readonly { port: number }[]): number[] => sent.map(({ port }) => port);

describe("learning", () => {
  test("an unknown target is flooded to all other ports, a learned one is sent only to its port", () => {
    const { receive } = makeSwitch([access(1), access(1), access(1)]);
    expect(ports(receive(0, frame(B, A)))).toEqual([1, 2]);
    expect(ports(receive(2, frame(A, B)))).toEqual([0]);
    expect(ports(receive(0, frame(B, A)))).toEqual([2]);
  });

  test("a frame whose target is behind its own port is dropped", () => {
    const { receive } = makeSwitch([access(1), access(1)]);
    receive(0, frame(BROADCAST_MAC, A));
    receive(0, frame(BROADCAST_MAC, B));
    expect(receive(0, frame(A, B))).toEqual([]);
  });

  test("a station that moves is found at its new port", () => {
    const { receive } = makeSwitch([access(1), access(1), access(1)]);
    receive(0, frame(BROADCAST_MAC, A));
    receive(1, frame(BROADCAST_MAC, A));
    expect(ports(receive(2, frame(A, B)))).toEqual([1]);
  });

  test("an address expires 300 s after its last frame", () => {
    const { bench, receive, device } = makeSwitch([access(1), access(1), access(1)]);
    receive(0, frame(BROADCAST_MAC, A));
    bench.run((AGEING_SECONDS - 1) * 1_000_000);
    expect(ports(receive(1, frame(A, B)))).toEqual([0]);
    bench.run(AGEING_SECONDS * 1_000_000 + 10);
    expect(ports(receive(1, frame(A, B)))).toEqual([0, 2]);
    expect(device.saveState().macs.map(([, mac]) => mac)).toEqual([B]);
  });

  test("a group address as source is not learned", () => {
    const { device, receive } = makeSwitch([access(1), access(1)]);
    receive(0, frame(A, 0x0100_5e00_0001));
    expect(device.saveState().macs).toEqual([]);
  });

  test("learned addresses persist in the next run", () => {
    const first = makeSwitch([access(1), access(1), access(1)]);
    first.receive(0, frame(BROADCAST_MAC, A));
    const saved = JSON.parse(JSON.stringify(first.device.saveState())) as SwitchState;
    const second = makeSwitch([access(1), access(1), access(1)], saved);
    expect(ports(second.receive(1, frame(A, B)))).toEqual([0]);
  });

  test("addresses of a port that lost its link or its VLAN since are removed", () => {
    const first = makeSwitch([access(1), access(1), access(1), access(1)]);
    first.receive(0, frame(BROADCAST_MAC, A));
    first.receive(1, frame(BROADCAST_MAC, B));
    const ports = [{ ...access(1), isWired: false }, access(2), access(1), access(1)];
    const second = makeSwitch(ports, first.device.saveState());
    expect(second.device.saveState().macs).toEqual([]);
    expect(second.receive(2, frame(A, 5)).map(({ port }) => port)).toContain(3);
  });

  test("with a full table the switch learns no address and floods", () => {
    const { device, receive } = makeSwitch([access(1), access(1), access(1)]);
    for (let station = 0; station < 4_100; station++) receive(0, frame(BROADCAST_MAC, A + station));
    expect(device.saveState().macs).toHaveLength(4_096);
    expect(ports(receive(1, frame(A + 4_099, B)))).toEqual([0, 2]);
  });
});

describe("VLANs", () => {
  test("access ports of one VLAN do not receive frames of another, and addresses are learned per VLAN", () => {
    const { receive } = makeSwitch([access(10), access(10), access(20), access(20)]);
    expect(ports(receive(0, frame(BROADCAST_MAC, A)))).toEqual([1]);
    expect(ports(receive(2, frame(A, B)))).toEqual([3]);
  });

  test("a trunk carries other VLANs tagged, and its own VLAN untagged", () => {
    const { receive } = makeSwitch([access(10), trunk(1), access(1)]);
    const [out] = receive(0, frame(BROADCAST_MAC, A));
    expect(out!.port).toBe(1);
    expect(readTag(out!.frame)).toEqual({ etherType: 0x8100, priority: 0, vlan: 10 });
    const [plain] = receive(2, frame(BROADCAST_MAC, B));
    expect(plain!.frame).toEqual(frame(BROADCAST_MAC, B));
  });

  test("a tagged frame from a trunk leaves an access port of its VLAN untagged", () => {
    const { receive } = makeSwitch([trunk(), access(10), access(20)]);
    expect(receive(0, tagged(frame(BROADCAST_MAC, A), 10))).toEqual([
      { port: 1, frame: frame(BROADCAST_MAC, A) },
    ]);
  });

  test("frames of a VLAN that no port carries are dropped, and so is VLAN 4095", () => {
    const { receive } = makeSwitch([trunk(), access(10)]);
    expect(receive(0, tagged(frame(BROADCAST_MAC, A), 99))).toEqual([]);
    expect(makeSwitch([trunk(), trunk()]).receive(0, tagged(frame(BROADCAST_MAC, A), 4095))).toEqual([]);
  });

  test("a tag keeps its priority between trunks", () => {
    const { receive } = makeSwitch([trunk(), trunk()]);
    const urgent = pushTag(
      frame(BROADCAST_MAC, A),
      { etherType: 0x8100, priority: 14, vlan: 30 },
      new FrameSlab(),
    );
    expect(receive(0, urgent)).toEqual([{ port: 1, frame: urgent }]);
  });

  test("an access port drops tags of other VLANs and accepts priority tags", () => {
    const { receive } = makeSwitch([access(10), access(10)]);
    expect(receive(0, tagged(frame(BROADCAST_MAC, A), 20))).toEqual([]);
    expect(receive(0, tagged(frame(BROADCAST_MAC, A), 0))).toEqual([
      { port: 1, frame: frame(BROADCAST_MAC, A) },
    ]);
  });

  test("a qinq port wraps tagged frames in a second tag of its ethertype, and the far one unwraps them", () => {
    const near = makeSwitch([qinq(100), trunk()]);
    const customer = tagged(frame(BROADCAST_MAC, A), 7);
    const [wrapped] = near.receive(0, customer);
    expect(readTag(wrapped!.frame)).toEqual({ etherType: 0x88a8, priority: 0, vlan: 100 });
    const far = makeSwitch([trunk(), qinq(100), qinq(200)]);
    expect(far.receive(0, wrapped!.frame)).toEqual([{ port: 1, frame: customer }]);
  });
});

test("a switch without a spanning tree passes the frames of one on, in their VLAN", () => {
  const { receive } = makeSwitch([access(1), access(1), access(2), trunk(1)]);
  expect(ports(receive(0, frame(0x0180_c200_0000, A)))).toEqual([1, 3]);
});

test("frames for bridges themselves are not forwarded", () => {
  const { receive } = makeSwitch([access(1), access(1)]);
  expect(receive(0, frame(0x0180_c200_000e, A))).toEqual([]);
  expect(ports(receive(0, frame(0x0180_c200_0010, A)))).toEqual([1]);
});

test("no frame makes a switch throw or return the frame to its ingress port", () => {
  const kinds = [access(1), trunk(1), qinq(1), access(2)];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(3), fc.uint8Array({ maxLength: 40 })), { maxLength: 20 }),
      (arrivals) => {
        const { receive } = makeSwitch(kinds);
        for (const [port, bytes] of arrivals) expect(ports(receive(port, bytes))).not.toContain(port);
      },
    ),
    { numRuns: 200 },
  );
});

test("a hub repeats every frame unchanged to all other ports", () => {
  const bench = new DeviceBench();
  bench.add("HUB", (world): Device => new Hub({ type: "ethernet_hub", name: "HUB", ports: 3 }, world));
  bench.inject("HUB", 1, frame(B, A));
  bench.run();
  expect(ports(bench.frames)).toEqual([0, 2]);
  expect(bench.frames.every((sent) => sent.frame.length === 18)).toBe(true);
});
