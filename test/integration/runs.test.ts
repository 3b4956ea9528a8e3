/** Scenarios: several consoles and timed actions in one timeline. */
import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { parsePcap } from "../helpers/captures/pcap.ts";
import type { Answer } from "../helpers/service/client.ts";
import { client, freshName } from "../helpers/service/lab.ts";
import { type RunningLab, startLab } from "../helpers/service/running-lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const stack = localStack();

const fates = (output: string): string[] =>
  [...output.matchAll(/icmp_seq=\d+ (timeout|ttl)/g)].map(([, fate]) => (fate === "ttl" ? "!" : "."));

describe("a scenario", () => {
  test("runs several consoles in one timeline", async () => {
    const lab = await startLab("star");
    const report = await lab.run({
      consoles: { PC1: ["ping 10.0.0.5 -c 3"], PC2: ["ping 10.0.0.6 -c 3"], PC5: ["ping 10.0.0.1 -c 3"] },
    });
    expect(report.consoles.map(({ name, status }) => [name, status])).toEqual([
      ["PC1", "done"],
      ["PC2", "done"],
      ["PC5", "done"],
    ]);
    for (const { output } of report.consoles) expect(fates(output).join("")).toBe("!!!");
    expect(report.elapsed).toBeLessThan(4);
    expect(report.stopped).toBe("idle");
  });

  test("a link fails in the middle and recovers", async () => {
    const lab = await startLab("pair");
    const link_id = lab.linkId("PC1-PC2");
    const report = await lab.run({
      consoles: { PC1: ["ping 10.0.0.2 -c 8"] },
      actions: [
        { at: 2.5, action: "suspend_link", link_id },
        { at: 6.5, action: "resume_link", link_id },
      ],
    });
    expect(fates(report.consoles[0]!.output).join("")).toBe("!!!..!!!");
    const [there] = report.links[0]!.directions;
    expect(there!.filters.suspend).toMatchObject({ dropped: 2 });
    expect(there!.in.packets).toBe(there!.delivered.packets + there!.dropped.packets);
    expect((await client.get(lab.link("PC1-PC2"))).json.suspend).toBe(false);
  });

  test("filters change at their scheduled time, and stay as the run left them", async () => {
    const lab = await startLab("pair");
    const link_id = lab.linkId("PC1-PC2");
    const report = await lab.run({
      consoles: { PC1: ["ping 10.0.0.2 -c 4"] },
      actions: [{ at: 1.5, action: "set_filters", link_id, filters: { delay: ["30"] } }],
    });
    const times = [...report.consoles[0]!.output.matchAll(/time=([\d.]+)/g)].map(([, ms]) => Number(ms));
    expect(times.map((ms) => ms > 60)).toEqual([false, false, true, true]);
    expect(report.links[0]!.directions[0]!.delay_ms).toMatchObject({ min: 0, max: 30 });
    expect((await client.get(lab.link("PC1-PC2"))).json.filters).toEqual({ delay: [30] });
  });

  test("a node stops and starts while another one pings it", async () => {
    const lab = await startLab("pair");
    const node_id = lab.node("PC2");
    const report = await lab.run({
      consoles: { PC1: ["ping 10.0.0.2 -c 9"] },
      actions: [
        { at: 1.5, action: "stop", node_id },
        { at: 3, action: "start", node_id },
      ],
    });
    const seen = fates(report.consoles[0]!.output).join("");
    expect(seen).toMatch(/^!!\.+!+$/);
    expect((await client.get(`${lab.path}/nodes/${node_id}`)).json.status).toBe("started");
  });

  test("a capture is replayed from a port, and reaches the other end", async () => {
    const lab = await startLab("pair");
    const first = await lab.startCapture("PC1-PC2");
    await lab.type("PC1", "ping 10.0.0.2 -c 1");
    const pcap = (await lab.download(first)).toString("base64");
    await client.post(`${lab.link("PC1-PC2")}/stop_capture`);
    const second = await lab.startCapture("PC1-PC2");
    const report = await lab.run({ actions: [{ at: 1, action: "replay", node_id: lab.node("PC1"), pcap }] });
    const recorded = parsePcap(await lab.download(second));
    expect(report.links[0]!.directions[0]!.in.packets).toBe(4);
    // The four packets of the file, and PC2's two responses.
    expect(recorded.length).toBe(6);
    expect(report.replays).toEqual([{ action: 0, packets: 4, cut_off: null }]);
    const cut = Buffer.from(pcap, "base64").subarray(0, -1).toString("base64");
    const again = await lab.run({ actions: [{ action: "replay", node_id: lab.node("PC1"), pcap: cut }] });
    expect(again.replays).toEqual([
      { action: 0, packets: 3, cut_off: expect.stringMatching(/^pcap: record at byte/) },
    ]);
    expect(again.links[0]!.directions[0]!.in.packets).toBe(3);
  });

  test("a duration ends the run, including the command in progress", async () => {
    const lab = await startLab("pair");
    const report = await lab.run({ consoles: { PC1: ["ping 10.0.0.2 -t"] }, duration: 3.5 });
    expect(report).toMatchObject({ stopped: "duration", elapsed: 3.5 });
    expect(report.consoles[0]).toMatchObject({ status: "interrupted" });
    expect(fates(report.consoles[0]!.output).join("")).toBe("!!!!");
    const idle = await lab.run({ duration: 60 });
    expect(idle).toMatchObject({ stopped: "duration", elapsed: 60, packets: 0 });
  });

  test("an invalid plan is rejected, and has no effect", async () => {
    const lab = await startLab("pair");
    const post = (body: unknown) => client.post(`${lab.path}/run`, body);
    const action = (fields: Record<string, unknown>) => post({ actions: [{ at: 0, ...fields }] });
    const node_id = lab.node("PC1");
    const link_id = lab.linkId("PC1-PC2");
    expect((await action({ action: "explode", node_id })).status).toBe(400);
    expect((await action({ action: "stop", node_id: crypto.randomUUID() })).status).toBe(404);
    expect((await action({ action: "suspend_link", link_id: crypto.randomUUID() })).status).toBe(404);
    const filters = await action({ action: "set_filters", link_id, filters: { bpf: ["tcp port"] } });
    expect(filters.status).toBe(400);
    expect(filters.json.errors[0].path).toBe("body.actions.0.filters.bpf.0");
    const replay = { action: "replay", node_id };
    expect((await action({ ...replay, pcap: "AAAA" })).json.message).toContain("actions.0: not a usable");
    expect((await action({ ...replay, pcap: "AAAA", port_number: 3 })).json.message).toContain(
      "No link is on",
    );
    expect((await post({ consoles: [{ node_id, commands: ["show"], at: -1 }] })).status).toBe(400);
    expect((await post({ duration: 0 })).status).toBe(400);
  });
});

describe("a switch", () => {
  test.each([
    ["SW1", "stop"],
    ["SW1", "suspend"],
    ["HUB1", "stop"],
  ])("%s forwards nothing after %s, and forwards again when it is started", async (name, action) => {
    const lab = await startLab("star");
    const path = `${lab.path}/nodes/${lab.node(name)}`;
    const across = () => lab.type("PC1", "ping 10.0.0.5 -c 2");
    const failed = await client.post(`${path}/${action}`);
    expect(failed).toMatchObject({
      status: 200,
      json: { status: action === "stop" ? "stopped" : "suspended" },
    });
    expect(await across()).toContain("host (10.0.0.5) not reachable");
    expect((await client.post(`${path}/start`)).json.status).toBe("started");
    expect(fates(await across()).join("")).toBe("!!");
  });

  test("fails and recovers in the middle of a run", async () => {
    const lab = await startLab("star");
    const node_id = lab.node("SW1");
    const report = await lab.run({
      consoles: { PC1: ["ping 10.0.0.5 -c 8"] },
      actions: [
        { at: 2.5, action: "suspend", node_id },
        { at: 6.5, action: "start", node_id },
      ],
    });
    expect(fates(report.consoles[0]!.output).join("")).toBe("!!!..!!!");
  });

  test("stays on when all nodes are stopped or suspended, and is started with all nodes", async () => {
    const lab = await startLab("star");
    const status = async (name: string) =>
      (await client.get(`${lab.path}/nodes/${lab.node(name)}`)).json.status;
    await client.post(`${lab.path}/nodes/suspend`);
    await client.post(`${lab.path}/nodes/stop`);
    expect([await status("PC1"), await status("SW1"), await status("HUB1")]).toEqual([
      "stopped",
      "started",
      "started",
    ]);
    await client.post(`${lab.path}/nodes/${lab.node("SW1")}/stop`);
    await client.post(`${lab.path}/nodes/start`);
    expect(await status("SW1")).toBe("started");
  });
});

describe("loss is exact and repeatable", () => {
  const pinned = {
    variables: [
      { name: "seed", value: "42" },
      { name: "clock", value: "2026-01-01T00:00:00Z" },
    ],
  };
  async function story(lab: RunningLab): Promise<{ outputs: string[]; capture: Buffer; digests: string[] }> {
    const filters = { packet_loss: [20], delay: [40, 10], corrupt: [5] };
    await client.put(lab.link("PC1-PC2"), { filters });
    const capture = await lab.startCapture("PC1-PC2");
    const one = await lab.console("PC1", "ping 10.0.0.2 -c 20");
    const two = await lab.run({ consoles: { PC2: ["ping 10.0.0.1 -c 20"] } });
    return {
      outputs: [one.output, two.consoles[0]!.output],
      // Frames that `corrupt` changed are malformed.
      capture: (await client.get(`${capture}/pcap`)).bytes,
      digests: [one.digest, two.digest],
    };
  }

  test("the same calls with pinned seed and clock give the same bytes in another project", async () => {
    const first = await story(await startLab("pair", pinned));
    const second = await story(await startLab("pair", pinned));
    expect(second.outputs).toEqual(first.outputs);
    expect(second.digests).toEqual(first.digests);
    expect(second.capture.equals(first.capture)).toBe(true);
    expect(first.outputs[0]).toContain("timeout");
  });

  test("another seed gives another result", async () => {
    const first = await story(await startLab("pair", pinned));
    const variables = [{ name: "seed", value: "43" }, pinned.variables[1]!];
    const other = await story(await startLab("pair", { variables }));
    expect(other.digests).not.toEqual(first.digests);
  });

  test("a filter's counter continues from run to run", async () => {
    const lab = await startLab("pair");
    await lab.type("PC1", "ping 10.0.0.2 -c 1");
    await client.put(lab.link("PC1-PC2"), { filters: { frequency_drop: [3] } });
    const seen: string[] = [];
    for (let call = 0; call < 6; call++) seen.push(...fates(await lab.type("PC1", "ping 10.0.0.2 -c 1")));
    // Requests and replies have separate counters: each third request is lost, and each third reply of those that were sent.
    expect(seen.join("")).toBe("!!..!.");
  });

  test("a lab whose clock has reached the end of lab time reports it, and does not run again", async () => {
    const lab = await startLab("pair");
    const database = new DynamoDBClient({
      endpoint: stack.dynamodbEndpoint,
      region: stack.region,
      credentials: stack.credentials,
    });
    await database.send(
      new UpdateItemCommand({
        TableName: stack.tableName,
        Key: { pk: { S: lab.path.replace("/projects/", "PROJECT#") }, sk: { S: "META" } },
        UpdateExpression: "SET clock_us = :end",
        ExpressionAttributeValues: { ":end": { N: String(Date.UTC(2100, 0) * 1000) } },
      }),
    );
    const { status, json } = await client.post(`${lab.path}/run`, { duration: 1 });
    expect(status).toBe(409);
    expect(json.message).toContain("year 2100");
  });

  test.each(["noon", "2101-01-01T00:00:00Z", "-1"])(
    "a clock with an invalid time is rejected: %s",
    async (value) => {
      const variables = [
        { name: "other", value },
        { name: "clock", value },
      ];
      const made = await client.post("/projects", { name: freshName(), variables });
      expect([made.status, made.json.message]).toEqual([
        400,
        expect.stringContaining("body.variables.1.value: is no lab time"),
      ]);
      const lab = await startLab("pair");
      const changed = await client.put(lab.path, { variables });
      expect([changed.status, changed.json.message]).toEqual([400, made.json.message]);
    },
  );
});

describe("a storm", () => {
  const RING = ["SW1", "SW2", "SW3"];

  /** Two PCs on switches in a ring without spanning tree. A link leads from the ring to SW9. */
  const startRing = (...startupScripts: readonly [string, string]): Promise<RunningLab> =>
    startLab({
      description: "A ring of switches",
      nodes: [
        ...[...RING, "SW9"].map((name) => ({ name, node_type: "ethernet_switch" })),
        ...startupScripts.map((startup_script, i) => ({
          name: `PC${i + 1}`,
          node_type: "vpcs",
          properties: { startup_script },
        })),
      ],
      links: (
        [
          ["SW1", 0, "SW2", 1],
          ["SW2", 0, "SW3", 1],
          ["SW3", 0, "SW1", 1],
          ["SW1", 3, "SW9", 0],
          ["PC1", 0, "SW1", 2],
          ["PC2", 0, "SW2", 2],
        ] as const
      ).map(([one, port, other, otherPort]) => ({
        ends: [
          [one, port],
          [other, otherPort],
        ],
      })),
    });

  const limitOf = ({ headers }: Answer) => ({
    limit: headers["x-run-limit"],
    loop: String(headers["x-run-loop"]).split(", ").toSorted(),
  });

  test("ends at a limit and names the ring, and PCs get their addresses when the loop is removed", async () => {
    const lab = await startRing("ip 10.0.0.1/24", "ip 10.0.0.2/24");
    const start = () => client.post(`${lab.path}/nodes/start`);
    const storm = { limit: "packets", loop: RING };
    const all = await start();
    expect([all.status, limitOf(all)]).toEqual([204, storm]);
    const one = await client.post(`${lab.path}/nodes/${lab.node("PC2")}/reload`);
    expect([one.status, one.json.status, limitOf(one)]).toEqual([200, "started", storm]);
    const typed = await lab.console("PC1", "show ip");
    expect(typed).toMatchObject({ stopped: "limit", limit: "packets" });
    expect(typed.loop?.toSorted()).toEqual(RING);

    await client.put(lab.link("SW3-SW1"), { suspend: true });
    const calm = await start();
    expect(calm.status).toBe(204);
    expect(calm.headers).not.toHaveProperty("x-run-limit");
    expect(calm.headers).not.toHaveProperty("x-run-loop");
    expect(await lab.type("PC1", "show ip")).toContain("10.0.0.1/24");
    expect(fates(await lab.type("PC1", "ping 10.0.0.2 -c 2")).join("")).toBe("!!");
  });

  test("is reported when opening the project starts its nodes", async () => {
    const lab = await startRing("", "");
    await client.put(lab.path, { auto_start: true });
    await client.post(`${lab.path}/close`);
    const opened = await client.post(`${lab.path}/open`);
    expect([opened.status, limitOf(opened)]).toEqual([201, { limit: "packets", loop: RING }]);
  });
});
