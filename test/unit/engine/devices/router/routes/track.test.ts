import type { RouterState } from "@wirelab/engine/devices/router/index";
import { decodeArp } from "@wirelab/engine/wire/arp";
import { describe, expect, it } from "vitest";
import { type Bed, makeBed, say, TWO_SUBNETS } from "../probe.ts";

const tracked = (via: string, track: string) => ({
  ...TWO_SUBNETS,
  routes: [
    { to: "10.9.0.0/16", via, track },
    { to: "10.9.0.0/16", via: "10.0.2.10", distance: 5 },
  ],
});

/** A gateway at 10.0.1.10 that answers pings while `bed.a.answers`. The bench's probe answers ARP only, so the test replies. */
function reply(bed: Bed, from = 0): number {
  const requests = bed.a.packets4.slice(from).filter(({ payload }) => payload[0] === 8);
  for (const { header, payload } of requests) {
    const echo = Uint8Array.from(payload);
    echo[0] = 0;
    const sum = ((echo[2]! << 8) | echo[3]!) + 0x800;
    const folded = (sum & 0xffff) + (sum >> 16);
    echo[2] = folded >> 8;
    echo[3] = folded & 255;
    bed.a.send4(
      0x0200_0000_0100,
      { source: header.target, target: header.source, protocol: 1, ttl: 9 },
      echo,
    );
  }
  return bed.a.packets4.length;
}

const gatewayOf = (bed: Bed): string | undefined =>
  say(bed, "show route")
    .find((line) => line.startsWith("10.9"))
    ?.split(/ +/)[1];

const SECOND = 1_000_000;

describe("a route with a tracked address", () => {
  it("is pinged each second by way of its gateway", () => {
    const bed = makeBed(tracked("10.0.1.10", "192.0.2.1"));
    bed.bench.run(3.5 * SECOND);
    const pings = bed.a.packets4.map(({ header, payload }) => [header.target, payload[0]]);
    expect(pings).toEqual(Array(3).fill([0xc000_0201, 8]));
    expect(bed.b.packets4).toEqual([]);
  });

  it("is withdrawn after three requests without a reply, and comes back with one", () => {
    const bed = makeBed(tracked("10.0.1.10", "10.0.1.10"));
    let seen = 0;
    for (const at of [1.5, 2.5]) {
      bed.bench.run(at * SECOND);
      seen = reply(bed, seen);
    }
    bed.bench.run(5.5 * SECOND);
    expect(gatewayOf(bed)).toBe("10.0.1.10");
    bed.bench.run(6.5 * SECOND);
    expect(gatewayOf(bed)).toBe("10.0.2.10");
    expect(say(bed, "show ip route").at(-1)).toMatch(/10.0.1.10 +- +1 +tracked address down/);
    expect(bed.router.saveState().services).toEqual({ track: ["10.0.1.10 via 10.0.1.10"] });
    reply(bed, bed.a.packets4.length - 1);
    bed.bench.run(6.6 * SECOND);
    expect(gatewayOf(bed)).toBe("10.0.1.10");
    expect(bed.router.saveState()).not.toHaveProperty("services");
  });

  it("is down when the gateway does not answer ARP, which keeps no run going", () => {
    const bed = makeBed(tracked("10.0.1.10", "10.0.1.10"));
    bed.a.answers = false;
    bed.bench.run(4.5 * SECOND);
    const requests = bed.a.received.length;
    expect(gatewayOf(bed)).toBe("10.0.2.10");
    bed.bench.run();
    expect(bed.a.received.length).toBe(requests);
    expect(bed.a.received.every((frame) => decodeArp(frame) !== null)).toBe(true);
  });

  it("stays withdrawn from run to run", () => {
    const bed = makeBed(tracked("10.0.1.10", "10.0.1.10"));
    bed.bench.run(4.5 * SECOND);
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    expect(gatewayOf(makeBed(tracked("10.0.1.10", "10.0.1.10"), state))).toBe("10.0.2.10");
  });

  it("is no longer pinged when it is removed", () => {
    const bed = makeBed(tracked("10.0.1.10", "10.0.1.10"));
    bed.bench.run(4.5 * SECOND);
    say(bed, "route del 10.9.0.0/16 distance 1");
    const pings = bed.a.packets4.length;
    bed.bench.run(9 * SECOND);
    expect(bed.a.packets4).toHaveLength(pings);
    expect(bed.router.saveState()).not.toHaveProperty("services");
  });

  it("pings IPv6 targets, too", () => {
    const routes = [{ to: "2001:db8:9::/48", via: "2001:db8:1::10", track: "2001:db8:9::1" }];
    const bed = makeBed({ ...TWO_SUBNETS, routes });
    bed.bench.run(2.5 * SECOND);
    expect(bed.a.packets6.map(({ payload }) => payload[0])).toEqual([128, 128]);
    bed.bench.run(4.5 * SECOND);
    expect(say(bed, "show ipv6 route").at(-1)).toMatch(/tracked address down/);
  });
});
