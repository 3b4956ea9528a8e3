/** The rig itself: two real computes carry frames between their nodes, without this service. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { type RealCompute, startCompute } from "../helpers/rig/real-compute.ts";
import { roundTripsMs } from "../helpers/rig/round-trips.ts";
import { Telnet } from "../helpers/rig/telnet.ts";

const PROJECT = "6f1c0f0e-3d55-4b1e-8a43-0d9f2c7a1b10";
const NODES = ["0b5a4c1e-7c0d-4a55-9d0e-5b7d6b1e2f01", "0b5a4c1e-7c0d-4a55-9d0e-5b7d6b1e2f02"];

describe.skipIf(computePrograms === undefined)(`two real computes (${NEEDED})`, () => {
  const computes: RealCompute[] = [];

  beforeAll(async () => {
    computes.push(...(await Promise.all([0, 1].map(() => startCompute(computePrograms!)))));
  });
  afterAll(() => Promise.all(computes.map((compute) => compute.remove())));

  const call = async (at: number, method: string, path: string, body?: unknown) => {
    const answer = await computes[at]!.call(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const nodePath = (at: number) => `/projects/${PROJECT}/vpcs/nodes/${NODES[at]}`;

  test("nodes of two computes ping each other through a delay of 30 ms", async () => {
    const udpPorts: number[] = [];
    for (const at of [0, 1]) {
      await call(at, "POST", "/projects", { name: "rig", project_id: PROJECT });
      const startup_script = `set pcname PC${at}\nip 10.0.0.${at + 1}/24\n`;
      await call(at, "POST", `/projects/${PROJECT}/vpcs/nodes`, {
        name: `PC${at}`,
        node_id: NODES[at],
        startup_script,
      });
      udpPorts.push((await call(at, "POST", `/projects/${PROJECT}/ports/udp`)).udp_port);
    }
    for (const at of [0, 1]) {
      await call(at, "POST", `${nodePath(at)}/adapters/0/ports/0/nio`, {
        type: "nio_udp",
        lport: udpPorts[at],
        rhost: "127.0.0.1",
        rport: udpPorts[1 - at],
        filters: at === 0 ? { delay: [30, 0] } : {},
        suspend: false,
      });
      await call(at, "POST", `${nodePath(at)}/start`);
    }

    const { console: port } = await call(0, "GET", nodePath(0));
    const telnet = await Telnet.open(port);
    await telnet.read(/PC0 : 10\.0\.0\.1[\s\S]*PC0> /);
    telnet.type("ping 10.0.0.2 -c 3");
    const output = await telnet.read(/icmp_seq=3 .*[\s\S]*PC0> /);
    telnet.close();

    const times = roundTripsMs(output);
    expect(times).toHaveLength(3);
    for (const time of times) expect(time).toBeGreaterThanOrEqual(60);
  });

  test("a killed compute has forgotten its nodes when it is back", async () => {
    await computes[1]!.kill();
    await expect(computes[1]!.call("GET", nodePath(1))).rejects.toThrow();
    await computes[1]!.start();
    expect((await computes[1]!.call("GET", nodePath(1))).status).toBe(404);
  });
});
