/** Our switch and Open vSwitch with two cables between them that are one bundle, in real time. */
import { spawnSync } from "node:child_process";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";
import { hasOpenVswitch, OpenVswitch } from "../helpers/live/open-vswitch.ts";
import { makeFolder, startTapLab } from "../helpers/live/tap-lab.ts";

const why = obstacle() ?? (hasOpenVswitch ? undefined : "openvswitch-switch is not installed");
const folder = makeFolder();
afterAll(folder.remove);

describe.skipIf(why !== undefined)(`LACP with Open vSwitch${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  let ovs: OpenVswitch;
  beforeEach(() => {
    spaces = new Namespaces("lab");
  });
  afterEach(() => spaces.end());

  /** A PC behind our switch, whose ports 1 and 2 are the taps `ta` and `tb`; behind Open vSwitch is 10.2.0.9. */
  async function startBoth(ours: object, theirs: string): Promise<void> {
    const lab = {
      nodes: {
        pc: "10.2.0.1/24",
        sw: { type: "switch", bundles: [{ ports: [1, 2], ...ours }] },
        a: { type: "cloud", tap: "ta" },
        b: { type: "cloud", tap: "tb" },
      },
      links: ["pc -- sw:0", "sw:1 -- a", "sw:2 -- b"],
    };
    await startTapLab(spaces, "lab", folder.path, lab, ["ta", "tb"]);
    ovs = await OpenVswitch.start(spaces, "lab", folder.path);
    ovs.vsctl("add-br", "br0", "--", "set", "bridge", "br0", "datapath_type=netdev");
    const bond = ["bond_mode=balance-tcp", `lacp=${theirs}`, "other_config:lacp-time=fast"];
    ovs.vsctl("add-bond", "br0", "bond0", "ta", "tb", ...bond);
    spaces.run("lab", "ip", "addr", "add", "10.2.0.9/24", "dev", "br0");
    spaces.run("lab", "ip", "link", "set", "br0", "up");
  }

  /** What it says of a port: `current attached`, and the bits of the state that ours sends. */
  function shown(port: string): string {
    const [, section = ""] = ovs.appctl("lacp/show", "bond0").split(`member: ${port}:`);
    const own = section.split("member:")[0]!;
    const bits = /partner state: (.*)/.exec(own)?.[1] ?? "";
    return `${own.split("\n")[0]!.trim()}; ${bits.trim()}`;
  }

  const pings = (): string => {
    const args = ["netns", "exec", spaces.of("lab"), "ping", "-c", "1", "-W", "1", "10.2.0.1"];
    return spawnSync("ip", args, { encoding: "utf8" }).stdout;
  };

  test.each([
    ["active", "passive", "activity timeout aggregation synchronized collecting distributing"],
    ["passive", "active", "timeout aggregation synchronized collecting distributing"],
  ])(
    "ours %s, its %s: both ports distribute, and a ping passes, also when a cable is pulled",
    async (ours, theirs, bits) => {
      await startBoth({ mode: ours, rate: "fast" }, theirs);
      for (const port of ["ta", "tb"])
        await expect
          .poll(() => shown(port), { timeout: 30_000, interval: 250 })
          .toBe(`current attached; ${bits}`);
      await expect.poll(pings, { timeout: 10_000, interval: 250 }).toContain("1 received");
      // Ours sees no carrier go: without LACP frames, it leaves the port after three seconds.
      spaces.run("lab", "ip", "link", "set", "ta", "down");
      await expect.poll(pings, { timeout: 20_000, interval: 250 }).toContain("1 received");
    },
  );
});
