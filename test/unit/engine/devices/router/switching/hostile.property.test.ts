/** Arbitrary frames at switched ports and at a port with a policy: the router never throws, and forwards to no VLAN but their own. */

import { makeStream } from "@wirelab/engine/base/random";
import { Router } from "@wirelab/engine/devices/router/index";
import { readTag } from "@wirelab/engine/wire/vlan-tag";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FrameSlab } from "../../../../../../packages/engine/base/frame-slab.ts";
import { ROUTER_MAC, specOf } from "../probe.ts";

const SPEC = specOf({
  ports: [
    { ipv4: "10.0.0.1/24", ipv6: "2001:db8::1/64", pbr_policy: "P" },
    { switchport: { vlan: 10 } },
    { switchport: { vlan: 20 } },
    { switchport: { mode: "trunk", vlan: 99, allowed: "10,99" } },
  ],
  interfaces: [
    { type: "svi", name: "vlan10", ipv4: "10.0.10.1/24", ipv6: "2001:db8:10::1/64", pbr_policy: "P" },
  ],
  pbr_maps: [
    {
      name: "P",
      rules: [
        "match ip-protocol tcp dst-port 80 set nexthop 10.0.0.2",
        "match dscp 46 set dscp 8",
        "match ip-protocol udp set nexthop 2001:db8::2",
        "match src-ip 10.0.0.0/8 set drop",
      ],
    },
  ],
});
/** The ports that carry each VLAN, as `port` or `port.tag`. */
const OUTPUTS: Readonly<Record<number, readonly string[]>> = { 1: ["1", "3.10"], 2: ["2"] };

const mac = fc.oneof(
  fc.constantFrom(ROUTER_MAC, ROUTER_MAC + 1, 0xffff_ffff_ffff, 0x0180_c200_0000, 0x0100_5e00_0009),
  fc.nat(0xff).map((last) => 0x0200_0000_0000 + last),
);
const macBytes = (address: number): number[] =>
  Array.from({ length: 6 }, (_, index) => Math.floor(address / 256 ** (5 - index)) % 256);
const kind = fc.constantFrom(
  [0x08, 0x00],
  [0x08, 0x06],
  [0x86, 0xdd],
  [0x81, 0x00, 0x00, 0x0a, 0x08, 0x00],
  [0x81, 0x00],
);
const ip = fc.oneof(
  fc.uint8Array({ maxLength: 100 }),
  fc
    .tuple(fc.constantFrom(0x45, 0x60, 0x4f), fc.uint8Array({ minLength: 40, maxLength: 80 }))
    .map(([first, rest]) => Uint8Array.of(first, ...rest)),
);
const frame = fc
  .tuple(mac, mac, kind, ip, fc.option(fc.nat(20), { nil: 200 }))
  .map(([target, source, type, data, length]) =>
    Uint8Array.of(...macBytes(target), ...macBytes(source), ...type, ...data).subarray(0, length),
  );

it("survives every frame, and its state restores the same addresses", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), frame), { maxLength: 30 }), (arriving) => {
      const sent: { port: number; frame: Uint8Array }[] = [];
      const world = {
        nowUs: 1_767_225_600_000_000,
        random: makeStream("hostile", "R"),
        frames: new FrameSlab(),
        send: (port: number, each: Uint8Array) => sent.push({ port, frame: each }),
        after: () => ({ cancel() {} }),
        print() {},
      };
      const router = new Router(SPEC, world);
      router.start();
      for (const [port, data] of arriving) {
        sent.length = 0;
        const source = data.slice(6, 12).join();
        router.receive(port, data);
        const switched = sent.filter((each) => each.frame.slice(6, 12).join() === source);
        const outputs = OUTPUTS[port];
        if (outputs === undefined) continue;
        for (const each of switched) {
          const tag = readTag(each.frame);
          expect(outputs).toContain(each.port === 3 ? `3.${tag?.vlan}` : `${each.port}`);
        }
      }
      const state = JSON.parse(JSON.stringify(router.saveState()));
      expect(JSON.parse(JSON.stringify(new Router(SPEC, world, state).saveState()))).toEqual(state);
    }),
    { numRuns: 300 },
  );
});
