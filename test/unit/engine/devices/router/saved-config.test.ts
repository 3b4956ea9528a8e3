/** The start-up configuration of a router as a file. */
import { stateWhenOff } from "@wirelab/engine/devices/make-device";
import type { RouterState } from "@wirelab/engine/devices/router/index";
import { startupConfigText, withStartupConfig } from "@wirelab/engine/devices/router/shell/saved-config";
import { describe, expect, it } from "vitest";
import { makeBed, say, specOf, TWO_SUBNETS } from "./probe.ts";

const spec = specOf(TWO_SUBNETS);
const changedText = (change: (config: { ports: Record<string, unknown>[] }) => void): string => {
  const config = JSON.parse(startupConfigText(spec, undefined));
  change(config);
  return JSON.stringify(config);
};
const write = (text: string, state?: RouterState): RouterState => {
  const result = withStartupConfig(spec, state, text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.state;
};

describe("a router's start-up file", () => {
  it("is the properties of its node until a configuration is saved", () => {
    const { ports } = JSON.parse(startupConfigText(spec, undefined));
    expect(ports[0]).toMatchObject({ name: "Ethernet0", ipv4: "10.0.1.1/24" });
  });

  it("is what the router starts with, and the running configuration stays", () => {
    const bed = makeBed();
    say(bed, "ip 0 10.8.0.1/24");
    const running = bed.router.saveState();
    const text = changedText(({ ports }) => Object.assign(ports[0]!, { ipv4: "10.7.0.1/24" }));
    const state = write(text, running);
    expect(state.running).toEqual(running.running);
    expect(JSON.parse(startupConfigText(spec, state))).toEqual(JSON.parse(text));
    const next = makeBed(TWO_SUBNETS, stateWhenOff(spec, state) as RouterState);
    expect(say(next, "show run")).toContain(" ip address 10.7.0.1/24");
  });

  it("written on a router that never ran is what it starts with", () => {
    const state = write(changedText(({ ports }) => Object.assign(ports[0]!, { ipv4: "10.7.0.1/24" })));
    const next = makeBed(TWO_SUBNETS, stateWhenOff(spec, state) as RouterState);
    expect(say(next, "show run")).toContain(" ip address 10.7.0.1/24");
  });

  it.each([
    ["not JSON", "hostname R1", /^is not JSON: /],
    [
      "an invalid address",
      changedText(({ ports }) => Object.assign(ports[0]!, { ipv4: "10.7.0.1/33" })),
      /10.7.0.1\/33/,
    ],
    [
      "another number of ports",
      changedText(({ ports }) => ports.push({ name: "X9" })),
      /must have the router's ports: Ethernet0/,
    ],
    [
      "another name of a port",
      changedText(({ ports }) => Object.assign(ports[0]!, { name: "X9" })),
      /must have the router's ports/,
    ],
  ])("is refused with %s", (_what, text, message) => {
    const result = withStartupConfig(spec, undefined, text);
    expect(result.ok || result.problems[0]!.message).toMatch(message);
  });
});
