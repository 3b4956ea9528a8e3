/** Our switch and lldpd at the ends of a real wire: each learns the other. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";
import { makeFolder, startTapLab } from "../helpers/live/tap-lab.ts";

const hasLldpd = ["lldpd", "lldpcli"].every(
  (tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0,
);
const why = obstacle() ?? (hasLldpd ? undefined : "lldpd is not installed");
const folder = makeFolder();
afterAll(folder.remove);

describe.skipIf(why !== undefined)(`LLDP with lldpd${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  beforeEach(() => {
    spaces = new Namespaces("lldp");
  });
  afterEach(() => spaces.end());

  const socket = join(folder.path, "lldpd.sock");
  const neighbours = () => {
    const shown = spawnSync(
      "ip",
      [
        "netns",
        "exec",
        spaces.of("lldp"),
        "lldpcli",
        "-u",
        socket,
        "-f",
        "json0",
        "show",
        "neighbors",
        "details",
      ],
      { encoding: "utf8" },
    );
    const { lldp } = shown.status === 0 ? JSON.parse(shown.stdout) : { lldp: [] };
    return lldp[0]?.interface?.[0];
  };

  test("ours hears it and sends at once; it shows our switch, its port, its name and that it is a bridge", async () => {
    const lab = {
      nodes: { sw1: { type: "switch", lldp: { interval: 3600 } }, a: { type: "cloud", tap: "ta" } },
      links: ["sw1:3 -- a"],
    };
    await startTapLab(spaces, "lldp", folder.path, lab, ["ta"]);
    // Our next frame would come after an hour: what lldpd hears, ours sends because it has heard lldpd.
    spaces.start("lldp", "lldpd", "-d", "-u", socket, "-I", "ta", "-C", "ta", "-S", "real system");
    await expect.poll(neighbours, { timeout: 30_000, interval: 250 }).toBeDefined();
    const found = neighbours();
    expect(found.chassis[0]).toMatchObject({
      id: [{ type: "mac", value: expect.stringMatching(/^02:/) }],
      name: [{ value: "sw1" }],
      capability: [{ type: "Bridge", enabled: true }],
    });
    expect(found.port[0]).toMatchObject({
      id: [{ type: "ifname", value: "Ethernet3" }],
      descr: [{ value: "Port 3 of sw1" }],
      ttl: [{ value: "14401" }],
    });
  });
});
