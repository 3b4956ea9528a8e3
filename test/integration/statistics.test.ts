import { expect, test } from "vitest";
import { makePcap } from "../helpers/captures/pcap.ts";
import { client, freshName, makeLab, makePair } from "../helpers/service/lab.ts";

const read = async (): Promise<Record<string, number>> => (await client.get("/usage")).json;

test("counts the contents of all projects", async () => {
  const before = await read();
  await makeLab();
  const running = await makePair();
  const stopped = await makePair();
  for (const { link } of [running, stopped]) {
    await client.post(`${link}/start_capture`, {});
    await client.call("POST", `${link}/replay`, { raw: makePcap(3) });
  }
  await client.post(`${stopped.link}/stop_capture`);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>';
  await client.call("POST", `/symbols/${freshName()}.svg/raw`, { raw: svg });

  const after = await read();
  const more = Object.fromEntries(Object.keys(before).map((name) => [name, after[name]! - before[name]!]));
  expect(more).toMatchObject({
    projects: 3,
    nodes: 4,
    links: 2,
    captures: 2,
    running_captures: 1,
    stored_bytes: 2 * 3 * 76,
    symbols: 1,
    symbol_bytes: svg.length,
  });
  expect(more.runs).toBeGreaterThanOrEqual(2);
  expect(after.complete).toBe(true);
});

test("stops counting deleted items", async () => {
  const before = await read();
  const pair = await makePair();
  await client.post(`${pair.link}/start_capture`, {});
  await client.call("POST", `${pair.link}/replay`, { raw: makePcap(3) });
  await client.delete(pair.path);
  expect(await read()).toEqual(before);
});
