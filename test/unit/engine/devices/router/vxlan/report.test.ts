/** What a router reports of its segments, which the service returns. */
import { reportRouter } from "@wirelab/engine/devices/router/shell/report";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { describe, expect, it } from "vitest";
import { BENCH_START_US } from "../../../../../helpers/engine/device-bench.ts";
import { bytes, MAC_A, makeBed, say, specOf } from "../probe.ts";

const PROPERTIES = {
  ports: [{}, { ipv4: "10.0.2.1/24" }],
  interfaces: [
    {
      type: "vxlan",
      name: "vxlan10",
      vni: 10,
      local: "10.0.2.1",
      remotes: ["10.0.2.10"],
      members: ["Ethernet0"],
    },
  ],
};
const SEGMENT = {
  name: "vxlan10",
  vni: 10,
  local: "10.0.2.1",
  remotes: ["10.0.2.10"],
  members: ["Ethernet0"],
  macs: [],
};

describe("the report of a router", () => {
  it("has the segments of one that is off, and none of one without", () => {
    expect(reportRouter(specOf(PROPERTIES), undefined, 0)).toEqual({ vxlan: [SEGMENT] });
    expect(reportRouter(specOf({}), undefined, 0)).toEqual({ vxlan: [] });
  });

  it("has the running configuration and the addresses that are known at a time", () => {
    const bed = makeBed(PROPERTIES);
    bed.a.send(encodeEthernet(0xffff_ffff_ffff, MAC_A, 0x88b5, bytes(46)));
    bed.bench.run();
    say(bed, "no interface vxlan10");
    expect(reportRouter(specOf(PROPERTIES), bed.router.saveState(), BENCH_START_US)).toEqual({ vxlan: [] });

    const on = makeBed(PROPERTIES);
    on.a.send(encodeEthernet(0xffff_ffff_ffff, MAC_A, 0x88b5, bytes(46)));
    on.bench.run();
    const at = (seconds: number) =>
      reportRouter(specOf(PROPERTIES), on.router.saveState(), BENCH_START_US + seconds * 1_000_000).vxlan[0]!
        .macs;
    expect(at(5)).toEqual([{ mac: "02:00:00:00:00:0a", interface: "Ethernet0", age: expect.closeTo(5, 1) }]);
    expect(at(301)).toEqual([]);
  });
});
