/** The labs of test/labs over HTTP: each has its expected traffic, and tshark finds no error in any of its captures. */
import { describe, expect, test } from "vitest";
import { hasProgram, readWith } from "../helpers/captures/pcap.ts";
import { client } from "../helpers/service/lab.ts";
import { startLab } from "../helpers/service/running-lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const answered = (output: string): number => output.match(/bytes from/g)?.length ?? 0;

test("a link that corrupts all packets makes a ping fail, unless PCs ignore checksums", async () => {
  // The seed decides which bits flip; without it the number of answers is another one in each project.
  const lab = await startLab("pair", { variables: [{ name: "seed", value: "1" }] });
  await lab.type("PC1", "ping 10.0.0.2 -c 1");
  await client.put(lab.link("PC1-PC2"), { filters: { corrupt: [100] } });
  // Occasionally the way back flips the same bit of the sender's MAC again, which no checksum covers.
  expect(answered(await lab.type("PC1", "ping 10.0.0.2 -c 30"))).toBeLessThan(3);
  for (const name of ["PC1", "PC2"])
    await client.put(`${lab.path}/nodes/${lab.node(name)}`, { properties: { ignore_checksums: true } });
  expect(answered(await lab.type("PC1", "ping 10.0.0.2 -c 30"))).toBeGreaterThan(10);
});

describe("a star of a switch and a hub", () => {
  test("carries pings between all corners; a hub floods, a switch forwards only to the destination", async () => {
    const lab = await startLab("star");
    await lab.type("PC1", "ping 10.0.0.5 -c 1");
    await lab.captureAll();
    expect(answered(await lab.type("PC1", "ping 10.0.0.5 -c 2"))).toBe(2);
    const heard = async (ends: string) => (await client.get(`${lab.link(ends)}/captures`)).json[0].packets;
    expect(await heard("PC2-SW1")).toBe(0);
    expect(await heard("PC6-HUB1")).toBe(4);
    await lab.downloadAll();
  });
});

describe("three switches in a triangle with VLANs", () => {
  test("keep VLANs apart over two trunks, without a storm", async () => {
    const lab = await startLab("triangle");
    await lab.captureAll();
    const report = await lab.run({
      consoles: {
        RED1: ["ping 10.0.10.3 -c 2"],
        BLUE1: ["ping 10.0.20.3 -c 2"],
        RED2: ["ip 10.0.20.9/24", "ping 10.0.20.1 -c 1"],
      },
    });
    const [red, blue, stranger] = report.consoles.map(({ output }) => output);
    expect(report.stopped).toBe("idle");
    expect([answered(red!), answered(blue!)]).toEqual([2, 2]);
    expect(stranger).toContain("host (10.0.20.1) not reachable");
    const file = await lab.downloadAll();
    expect(file.length).toBeGreaterThan(1_000);
  });

  test.skipIf(!hasProgram("tshark"))(
    "frames on the trunk carry the tag of their VLAN (skipped without tshark)",
    async () => {
      const lab = await startLab("triangle");
      const capture = await lab.startCapture("SW1-SW2");
      await lab.type("RED1", "ping 10.0.10.2 -c 1");
      await lab.type("BLUE1", "ping 10.0.20.2 -c 1");
      const vlans = readWith(
        "tshark",
        await lab.download(capture),
        "-Y",
        "icmp",
        "-T",
        "fields",
        "-e",
        "vlan.id",
      );
      expect(vlans).toEqual(["10", "10", "20", "20"]);
    },
  );
});

describe("four routers in a row", () => {
  test("lease addresses in every subnet, and a trace lists the hops", async () => {
    const lab = await startLab("routers");
    await lab.captureAll();
    const dhcp = await lab.run({
      consoles: { PC1: ["dhcp"], PC2: ["dhcp"], PC3: ["dhcp"], PC4: ["dhcp"] },
    });
    expect(dhcp.consoles.map(({ output }) => /IP ([\d.]+)/.exec(output)?.[1])).toEqual([
      "10.1.0.100",
      "10.2.0.100",
      "10.3.0.100",
      "10.4.0.100",
    ]);
    const output = await lab.type("PC1", "ping 10.4.0.100 -c 2", "trace 10.4.0.100", "trace 10.4.0.100 -P 1");
    expect(output).toMatch(/84 bytes from 10\.4\.0\.100 icmp_seq=2 ttl=60/);
    for (const hop of ["10.1.0.1", "192.168.1.2", "192.168.2.2", "192.168.3.2"])
      expect(output).toContain(hop);
    expect(output).toMatch(/ 5 {3}\*10\.4\.0\.100 .*Destination port unreachable/);
    expect(await lab.type("R1", "show dhcp")).toContain("10.1.0.100");
    await lab.downloadAll();
  });

  test("report a destination without a route as unreachable", async () => {
    const lab = await startLab("routers");
    await lab.type("PC1", "dhcp");
    expect(await lab.type("PC1", "ping 172.16.0.1 -c 1")).toMatch(
      /\*10\.1\.0\.1 icmp_seq=1 ttl=\d+ time=[\d.]+ ms \(ICMP type:3, code:0, Destination network unreachable\)/,
    );
  });
});

describe("a hundred PCs on one switch", () => {
  test("ping their neighbours all at once", async () => {
    const lab = await startLab("crowd");
    const consoles = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`PC${i + 1}`, [`ping 10.0.0.${((i + 1) % 100) + 1} -c 2`]]),
    );
    const capture = await lab.startCapture("PC1-SW1");
    const report = await lab.run({ consoles });
    expect(report.stopped).toBe("idle");
    for (const { output } of report.consoles) expect(answered(output)).toBe(2);
    const table = await client.get(`${lab.path}/nodes/${lab.node("SW1")}/mac_table`);
    expect(table.json).toHaveLength(100);
    await lab.download(capture);
  });
});

test("a capture is streamed while other requests make traffic", async () => {
  const lab = await startLab("pair");
  await lab.startCapture("PC1-PC2");
  const following = await fetch(`${localStack().baseUrl}${lab.link("PC1-PC2")}/pcap`);
  for (let call = 0; call < 3; call++) await lab.type("PC1", "ping 10.0.0.2 -c 2");
  await client.post(`${lab.link("PC1-PC2")}/stop_capture`);
  const streamed = Buffer.from(await following.arrayBuffer());
  const [{ capture_id }] = (await client.get(`${lab.link("PC1-PC2")}/captures`)).json;
  expect(streamed.equals(await lab.download(`${lab.link("PC1-PC2")}/captures/${capture_id}`))).toBe(true);
});

test("an assertion on packets as JSON needs no capture program", async () => {
  const lab = await startLab("pair");
  const capture = await lab.startCapture("PC1-PC2");
  await lab.type("PC1", "ping 10.0.0.2 -c 1");
  const { json } = await client.get(`${capture}/packets?filter=icmp`);
  expect(json).toMatchObject({ total: 4, matched: 2, more: false });
  expect(json.packets[0]).toMatchObject({ protocol: "ICMP", source: "10.0.0.1", target: "10.0.0.2" });
});
