import { stateWhenOff } from "@wirelab/engine/devices/make-device";
import type { RouterState } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { type Bed, makeBed, say, specOf, TWO_SUBNETS } from "./probe.ts";

const OTHER = { ports: [{ ipv4: "10.5.0.1/24" }, {}] };
const SAVED = "Saved: the router starts with this configuration";
const NOTHING = "Nothing is saved: the router starts with the properties of its node";

/** The router after a restart, with changed properties of its node if they are given. */
function restart({ router }: Bed, properties: unknown = TWO_SUBNETS): Bed {
  const off = stateWhenOff(specOf(TWO_SUBNETS), JSON.parse(JSON.stringify(router.saveState())));
  const stored = off === undefined ? undefined : JSON.parse(JSON.stringify(off));
  return makeBed(properties, stateWhenOff(specOf(properties), stored) as RouterState | undefined);
}

const configured = (...lines: readonly string[]): Bed => {
  const bed = makeBed();
  for (const line of lines) expect(say(bed, line)).toEqual(line.startsWith("w") ? [SAVED] : []);
  return bed;
};

describe("console changes of a router", () => {
  it("are lost at a stop if they are not saved", () => {
    const bed = restart(configured("ip 0 10.7.0.1/24"));
    expect(say(bed, "show run")).toContain(" ip address 10.0.1.1/24");
  });

  it.each(["write", "write memory", "wr file", "copy running-config startup-config", "copy run start"])(
    "survive a stop if they are saved by `%s`",
    (command) => {
      const bed = configured("ip 0 10.7.0.1/24", "shutdown 1", "route add 10.9.0.0/16 via 10.7.0.9");
      const running = say(bed, "show run");
      expect(say(bed, command)).toEqual([SAVED]);
      const next = restart(bed);
      expect(say(next, "show running-config")).toEqual(running);
      expect(say(next, "show startup-config")).toEqual(running);
      expect(say(restart(next), "show run")).toEqual(running);
    },
  );

  it("are lost if they were made after the save", () => {
    const bed = restart(configured("ip 0 10.7.0.1/24", "write", "ip 0 10.8.0.1/24"));
    expect(say(bed, "show run")).toContain(" ip address 10.7.0.1/24");
  });

  it("survive without the router's learned neighbours and leases", () => {
    const bed = configured("dhcp 0 10.0.1.100 10.0.1.110", "write");
    say(bed, "ping 10.0.2.10 -c 1");
    const next = restart(bed);
    expect(say(next, "show arp")).toEqual(["No neighbours"]);
    expect(say(next, "show dhcp")).toEqual([
      "Ethernet0: 10.0.1.100 to 10.0.1.110, lease 3600 s",
      "No leases",
    ]);
  });

  it("are replaced when the properties of the node change", () => {
    const bed = restart(configured("ip 0 10.7.0.1/24", "write"), OTHER);
    expect(say(bed, "show run")).toEqual(["interface Ethernet0", " ip address 10.5.0.1/24", "exit"]);
    expect(say(bed, "show startup-config")).toEqual([NOTHING]);
  });

  it("are removed by an erase", () => {
    const bed = configured("ip 0 10.7.0.1/24", "write");
    expect(say(bed, "write erase")).toEqual(["Erased: the router starts with the properties of its node"]);
    expect(say(bed, "show run")).toContain(" ip address 10.7.0.1/24");
    expect(say(bed, "show startup-config")).toEqual([NOTHING]);
    expect(say(restart(bed), "show run")).toContain(" ip address 10.0.1.1/24");
  });

  it.each([
    ["write all", "Usage: write [memory|file|terminal|erase]"],
    ["write erase now", "Usage: write [memory|file|terminal|erase]"],
    ["copy", "Usage: copy running-config startup-config"],
    ["copy startup-config running-config", "Usage: copy running-config startup-config"],
    ["copy runny start", "Usage: copy running-config startup-config"],
    ["copy run start now", "Usage: copy running-config startup-config"],
  ])("are not saved by `%s`", (line, complaint) => {
    const bed = makeBed();
    expect(say(bed, line)).toEqual([complaint]);
    expect(say(bed, "show startup")).toEqual([NOTHING]);
  });
});
