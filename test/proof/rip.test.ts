/** RIP with FRR's ripd on a real wire: each learns the other's routes, and forgets those that are withdrawn. */
import { describe } from "vitest";
import { eventually, eventuallyNot } from "../helpers/live/eventually.ts";
import { noRipWire, testOnWire } from "../helpers/live/rip-wire.ts";

describe.skipIf(noRipWire !== undefined)(
  `RIP with FRR's ripd${noRipWire ? ` (skipped: ${noRipWire})` : ""}`,
  { concurrent: true },
  () => {
    testOnWire(
      "each learns the other's routes, with metric and tag, and packets pass both ways",
      async ({ wire, expect }) => {
        const end = await wire.lab.capture("ta", "udp port 520");
        wire.startFrr();
        await eventually(wire.theirs, /R\(n\) 10\.50\.0\.0\/24 +10\.2\.0\.1 +2 10\.2\.0\.1 +0/);
        await eventually(wire.theirs, /R\(n\) 10\.70\.0\.0\/16 +10\.2\.0\.1 +5 10\.2\.0\.1 +99/);
        await eventually(wire.ours, /R +\[120\/2\] +10\.60\.0\.0\/24 +10\.2\.0\.9 +Ethernet1/);
        expect(wire.lab.run("ping", "-c", "3", "-i", "0.2", "-I", "10.60.0.1", "10.50.0.2")).toContain(
          "3 received",
        );
        expect(await wire.lab.type("r1", "show ip rip status")).toMatch(/10\.2\.0\.9 +0 +0 +00:00:0/);
        const { all, wrong } = await end();
        expect(all).toBeGreaterThan(3);
        expect(wrong).toEqual([]);
      },
    );

    testOnWire("each forgets a subnet that the other withdraws", async ({ wire, expect }) => {
      wire.startFrr();
      await eventually(wire.ours, /10\.60\.0\.0\/24/);
      await eventually(wire.theirs, /10\.50\.0\.0\/24 +10\.2\.0\.1 +2/);
      wire.lab.run("ip", "link", "set", "lan0", "down");
      await eventuallyNot(wire.ours, /10\.60\.0\.0/);
      expect(await wire.lab.type("r1", "show ip rip")).toMatch(/10\.60\.0\.0\/24 +10\.2\.0\.9 +16/);
      await wire.lab.type("r1", "shutdown Ethernet0");
      await eventually(wire.theirs, /10\.50\.0\.0\/24 +10\.2\.0\.1 +16/);
      expect(wire.frr.vtysh("show ip route")).not.toContain("10.50.0.0");
    });

    testOnWire("ours loses the routes of a ripd that has gone, after the timeout", async ({ wire }) => {
      wire.startFrr();
      await eventually(wire.ours, /10\.60\.0\.0\/24/);
      wire.frr.kill("ripd");
      await eventuallyNot(wire.ours, /10\.60\.0\.0/);
    });
  },
);
