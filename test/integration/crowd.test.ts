/**
 * Many callers at the consoles of one lab with a capture on every link: large concurrent runs. The test calls the service in its own
 * process, without a function's time limit, because the duration depends on this machine.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type PcapRecord, parsePcap } from "../helpers/captures/pcap.ts";
import { parsePcapng } from "../helpers/captures/pcapng.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import { client } from "../helpers/service/lab.ts";
import type { LabFile } from "../helpers/service/lab-file.ts";
import { type ConsoleAnswer, type RunningLab, startLab } from "../helpers/service/running-lab.ts";

/** More links than one transaction can change. */
const PCS = 104;
/** More runs than the number of segments that a link's item keeps. */
const CALLERS = 20;

const PORTS = Array.from({ length: PCS }, (_, port_number) => ({
  name: `Ethernet${port_number}`,
  port_number,
  type: "access",
  vlan: 1,
}));
const ONE_SWITCH: LabFile = {
  description: "PCs on one switch",
  nodes: [
    { name: "SW", node_type: "ethernet_switch", properties: { ports_mapping: PORTS } },
    ...Array.from({ length: PCS }, (_, i) => ({
      name: `PC${i + 1}`,
      node_type: "vpcs",
      properties: { startup_script: `ip 10.0.0.${i + 1}/24` },
    })),
  ],
  links: Array.from({ length: PCS }, (_, i) => ({
    ends: [
      [`PC${i + 1}`, 0],
      ["SW", i],
    ],
  })),
};

const ETHERTYPE_ARP = 0x0806;
const isArpRequest = ({ data }: PcapRecord): boolean =>
  data.readUInt16BE(12) === ETHERTYPE_ARP && data.readUInt16BE(20) === 1;
/** The last byte of the sender's IP address. */
const senderOf = ({ data }: PcapRecord): number => data.readUInt8(31);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

describe("twenty console calls at once, in a lab whose links all capture", () => {
  let lab: RunningLab;
  let answers: ConsoleAnswer[];

  beforeAll(async () => {
    lab = await startLab(ONE_SWITCH);
    await lab.captureAll();
    // Each PC pings a PC that no other one pings; all PCs receive the ARP request.
    useServiceStores();
    const { runConsole } = await import("../../functions/runs/console.ts");
    const ping = (n: number) =>
      perform(runConsole, {
        params: { project_id: lab.built.projectId, node_id: lab.node(`PC${n}`) },
        body: { commands: [`ping 10.0.0.${CALLERS + n} -c 1`] },
        remainingTimeMs: () => 150_000,
      });
    answers = (await Promise.all(upTo(CALLERS).map(ping))) as ConsoleAnswer[];
  }, 240_000);

  test("all succeed, one after another", () => {
    for (const { output, stopped } of answers) {
      expect(output).toContain("bytes from");
      expect(stopped).toBe("idle");
    }
    const starts = answers.map(({ started_at }) => started_at);
    expect(new Set(starts).size).toBe(CALLERS);
  });

  test("leave every packet once in every capture", async () => {
    for (const n of upTo(PCS)) {
      const [{ capture_id, packets, bytes }] = (await client.get(`${lab.link(`PC${n}-SW`)}/captures`)).json;
      const file = await client.get(`${lab.link(`PC${n}-SW`)}/captures/${capture_id}/pcap`);
      const records = parsePcap(file.bytes);
      expect([records.length, file.bytes.length], `PC${n}`).toEqual([packets, bytes]);
      const asked = records.filter(isArpRequest).map(senderOf);
      expect(
        asked.toSorted((a, b) => a - b),
        `PC${n}`,
      ).toEqual(upTo(CALLERS));
      // A PC that pings, or that another PC pings, also gets an ARP reply, an echo request and an echo reply.
      expect(records.length, `PC${n}`).toBe(n <= 2 * CALLERS ? CALLERS + 3 : CALLERS);
      const times = records.map(({ timeUs }) => timeUs);
      expect(times, `PC${n}`).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  test("are all in the project's pcapng file", async () => {
    const { interfaces, packets } = parsePcapng((await client.get(`${lab.path}/pcapng`)).bytes);
    expect(interfaces).toHaveLength(PCS);
    expect(packets).toHaveLength(PCS * CALLERS + 2 * CALLERS * 3);
  });
});
