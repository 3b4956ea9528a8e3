/** Our switch and other authors' bridges with two cables between them, in real time: one cable is blocked. */
import { spawnSync } from "node:child_process";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";
import { hasOpenVswitch, OpenVswitch } from "../helpers/live/open-vswitch.ts";
import { makeFolder, startTapLab } from "../helpers/live/tap-lab.ts";

const why = obstacle();
const folder = makeFolder();
afterAll(folder.remove);

/** The address of `sw`'s bridge, as the others print it. */
const OURS = /8000\.02[0-9a-f]{8}00|1000\.02[0-9a-f]{8}00/;

describe.skipIf(why !== undefined)(
  `spanning trees with other bridges${why ? ` (skipped: ${why})` : ""}`,
  () => {
    let spaces: Namespaces;
    beforeEach(() => {
      spaces = new Namespaces("lab");
    });
    afterEach(() => spaces.end());

    /** A lab with a PC behind our switch, whose ports 1 and 2 are the taps `ta` and `tb`. */
    async function startLab(rstp: object): Promise<void> {
      const lab = {
        nodes: {
          pc: "10.2.0.1/24",
          sw: { type: "switch", rstp },
          a: { type: "cloud", tap: "ta" },
          b: { type: "cloud", tap: "tb" },
        },
        links: ["pc -- sw:0", "sw:1 -- a", "sw:2 -- b"],
      };
      await startTapLab(spaces, "lab", folder.path, lab, ["ta", "tb"]);
    }

    const pings = (): string => {
      const args = ["ip", "netns", "exec", spaces.of("lab"), "ping", "-c", "1", "-W", "1", "10.2.0.1"];
      return spawnSync(args[0]!, args.slice(1), { encoding: "utf8" }).stdout;
    };
    const eventually = (get: () => unknown, wanted: unknown): Promise<void> =>
      expect.poll(get, { timeout: 30_000, interval: 250 }).toEqual(wanted);

    describe("the kernel's, which speaks the protocol before RSTP", () => {
      const read = (path: string): string => spaces.run("lab", "cat", `/sys/class/net/${path}`).trim();
      const FORWARDING = "3";
      const BLOCKING = "4";

      async function startBridge(priority: number): Promise<void> {
        spaces.run("lab", "ip", "link", "add", "br0", "type", "bridge");
        const times = ["forward_delay", "400", "max_age", "600", "hello_time", "100"];
        spaces.run("lab", "ip", "link", "set", "br0", "type", "bridge", ...times);
        spaces.run(
          "lab",
          "ip",
          "link",
          "set",
          "br0",
          "type",
          "bridge",
          "stp_state",
          "1",
          "priority",
          String(priority),
        );
        for (const tap of ["ta", "tb"]) spaces.run("lab", "ip", "link", "set", tap, "master", "br0");
        spaces.run("lab", "ip", "addr", "add", "10.2.0.9/24", "dev", "br0");
        spaces.run("lab", "ip", "link", "set", "br0", "up");
      }
      const quick = { forward_delay: 4, max_age: 6, hello_time: 1 };

      test("it takes ours for the root, and blocks its second port", async () => {
        await startLab({ ...quick, priority: 4096 });
        await startBridge(32_768);
        await eventually(() => OURS.test(read("br0/bridge/root_id")), true);
        await eventually(() => [read("ta/brport/state"), read("tb/brport/state")], [FORWARDING, BLOCKING]);
        await eventually(() => pings().includes("1 received"), true);
      });

      test("ours takes it for the root, and blocks one of its own", async () => {
        await startLab({ ...quick, priority: 32_768 });
        await startBridge(4_096);
        await eventually(() => [read("ta/brport/state"), read("tb/brport/state")], [FORWARDING, FORWARDING]);
        await eventually(() => pings().includes("1 received"), true);
        // A broadcast that goes round returns to the bridge again and again.
        const before = Number(read("br0/statistics/rx_packets"));
        expect(pings()).toContain("1 received");
        expect(Number(read("br0/statistics/rx_packets")) - before).toBeLessThan(20);
      });
    });

    describe.skipIf(!hasOpenVswitch)(
      `Open vSwitch${hasOpenVswitch ? "" : " (skipped: openvswitch-switch is not installed)"}`,
      () => {
        let ovs: OpenVswitch;
        /** Role and state of a port, such as `Root Forwarding`. */
        const stateOf = (port: string): string =>
          ovs
            .vsctl("get", "Port", port, "rstp_status:rstp_port_role", "rstp_status:rstp_port_state")
            .replaceAll('"', "")
            .replace("\n", " ");

        async function startOvs(priority: number): Promise<void> {
          ovs = await OpenVswitch.start(spaces, "lab", folder.path);
          const bridge = ["datapath_type=netdev", "rstp_enable=true"];
          ovs.vsctl("add-br", "br0", "--", "set", "bridge", "br0", ...bridge);
          ovs.vsctl("set", "bridge", "br0", `other_config:rstp-priority=${priority}`);
          for (const tap of ["ta", "tb"]) ovs.vsctl("add-port", "br0", tap);
        }

        test("it takes ours for the root at once, and has an alternate port", async () => {
          await startLab({ priority: 4096 });
          await startOvs(32_768);
          await eventually(() => [stateOf("ta"), stateOf("tb")], ["Root Forwarding", "Alternate Discarding"]);
        });

        test("ours takes it for the root, and agrees to its proposals", async () => {
          await startLab({ priority: 32_768 });
          await startOvs(4_096);
          await eventually(
            () => [stateOf("ta"), stateOf("tb")],
            ["Designated Forwarding", "Designated Forwarding"],
          );
        });
      },
    );
  },
);
