/** The same calls with pinned seed and clock give the same bytes in a new stack. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { freshName } from "../helpers/service/lab.ts";
import { buildLab, type Call, readLabFile } from "../helpers/service/lab-file.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

let other: LocalStack;

beforeAll(async () => {
  other = await startInMemory({ synth: localStack().assembly });
});

afterAll(() => other.stop());

const PINNED = [
  { name: "seed", value: "two stacks" },
  { name: "clock", value: "2026-06-01T12:00:00Z" },
];

/** Runs DHCP, pings and traces through loss, jitter and corruption. @returns all results. */
async function story(base: string) {
  const send = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const call: Call = async (method, path, body) => {
    const text = await (await send(method, path, body)).text();
    return text === "" ? {} : JSON.parse(text);
  };
  const lab = await buildLab(call, readLabFile("routers"), { name: freshName(), variables: PINNED });
  const link = `${lab.path}/links/${lab.links["R1-R2"]}`;
  await call("PUT", link, { filters: { packet_loss: [15], delay: [20, 15], corrupt: [10] } });
  await call("POST", `${link}/start_capture`, {});
  await call("POST", `${lab.path}/nodes/start`);
  const consoles = ["PC1", "PC2", "PC3", "PC4"].map((name) => ({
    node_id: lab.nodes[name],
    commands: ["dhcp"],
  }));
  const dhcp = await call("POST", `${lab.path}/run`, { consoles });
  const ping = await call("POST", `${lab.path}/nodes/${lab.nodes.PC1}/console`, {
    commands: ["ping 10.3.0.100 -c 15", "trace 10.4.0.100", "ping 10.2.0.100 -2 -c 5", "show arp"],
  });
  const [{ capture_id }] = (await (await send("GET", `${link}/captures`)).json()) as [{ capture_id: string }];
  const capture = Buffer.from(await (await send("GET", `${link}/captures/${capture_id}/pcap`)).arrayBuffer());
  const outputs = (dhcp.consoles as { output: string }[]).map(({ output }) => output);
  return {
    outputs: [...outputs, ping.output],
    digests: [dhcp.digest, ping.digest],
    times: ping.started_at,
    capture,
  };
}

test("transcripts, digests, times and captures are equal", async () => {
  const here = await story(localStack().baseUrl);
  const there = await story(`${other.url}/${other.stage}`);
  expect(there.outputs).toEqual(here.outputs);
  expect(there.digests).toEqual(here.digests);
  expect(there.times).toEqual(here.times);
  expect(there.capture.equals(here.capture)).toBe(true);
  expect(here.capture.length).toBeGreaterThan(2_000);
  expect(here.outputs.join("")).toContain("icmp_seq=15");
});
