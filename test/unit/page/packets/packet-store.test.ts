/** The packets of several captures: order, filter, rows, and where else a packet was seen. */
import { encodeCapture } from "@wirelab/engine/pcap/index";
import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { describe, expect, test } from "vitest";
import type { Source } from "../../../../page/src/packets/model.ts";
import { PacketStore } from "../../../../page/src/packets/packet-store.ts";

const source = (name: string): Source => ({
  captureId: `capture ${name}`,
  linkId: `link ${name}`,
  name,
  linkType: "DLT_EN10MB",
});

/** An echo request, as it is on one link: routers change its MACs and its time to live. */
function echo(sequence: number, { ttl = 64, mac = 1, type = 8 } = {}): Uint8Array {
  const message = encodeEcho(7, sequence, new Uint8Array(8));
  message[0] = type;
  const packet = encodeIpv4(
    { source: 0x0a000001, target: 0x0a000102, protocol: 1, ttl, id: sequence },
    message,
  )[0]!;
  return Uint8Array.from([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, mac, 8, 0, ...packet]);
}

const capture = (...packets: readonly (readonly [ms: number, data: Uint8Array])[]): Uint8Array =>
  encodeCapture(
    packets.map(([ms, data]) => ({
      seconds: 1_700_000_000 + Math.floor(ms / 1000),
      nanoseconds: (ms % 1000) * 1e6,
      data,
      originalLength: data.length,
    })),
    { linkType: 1 },
  );

function storeOf(...files: readonly Uint8Array[]): PacketStore {
  const store = new PacketStore();
  store.open(files.map((_, index) => source(String(index))));
  for (const [index, file] of files.entries()) store.take(index, file);
  return store;
}

describe("the list", () => {
  test("has the packets of all captures in order of time, also when an earlier one comes later", () => {
    const store = storeOf(capture([0, echo(1)], [20, echo(3)]), capture([10, echo(2)], [30, echo(4)]));
    const { total, matched } = store.counts();
    expect([total, matched]).toEqual([4, 4]);
    const rows = store.rows(0, 10);
    expect(rows.map(({ source, number, seconds }) => [source, number, seconds])).toEqual([
      [0, 1, 0],
      [1, 1, 0.01],
      [0, 2, 0.02],
      [1, 2, 0.03],
    ]);
    expect(rows[1]).toMatchObject({
      index: 1,
      from: "10.0.0.1",
      to: "10.0.1.2",
      protocol: "ICMP",
      length: 50,
    });
    expect(store.rows(3, 10)).toHaveLength(1);
  });

  test("grows with the pieces of a file, wherever it is cut", () => {
    const file = capture([0, echo(1)], [1, echo(2)], [2, echo(3)]);
    const store = new PacketStore();
    store.open([source("0")]);
    for (let at = 0; at < file.length; at += 13) store.take(0, file.slice(at, at + 13));
    expect(store.counts().matched).toBe(3);
  });

  test("changes its generation when shown rows move, and not when rows follow", () => {
    const store = storeOf(capture([10, echo(1)]), capture([20, echo(2)]));
    const { generation } = store.counts();
    store.open([source("0"), source("1")]);
    store.take(0, capture([10, echo(1)]));
    const opened = store.counts().generation;
    expect(opened).toBeGreaterThan(generation);
    store.take(1, capture([20, echo(2)]));
    expect(store.counts().generation).toBe(opened);
  });

  test("names a damaged capture, and shows the packets before the damage", () => {
    const store = storeOf(
      Uint8Array.from([...capture([0, echo(1)]), ...new Uint8Array(64).fill(0xff)]),
      capture([5, echo(2)]),
    );
    store.take(0, new Uint8Array(1));
    const { total, damaged } = store.counts();
    expect(total).toBe(2);
    expect(damaged).toEqual([[0, expect.any(String)]]);
  });
});

describe("a filter", () => {
  const store = storeOf(capture([0, echo(1)], [1, echo(2, { type: 0 })], [2, echo(3)]));

  test("shows the packets that match, with their numbers in the capture", () => {
    expect(store.filter("icmp[icmptype] = icmp-echo")).toBeUndefined();
    expect(store.counts()).toMatchObject({ total: 3, matched: 2 });
    expect(store.rows(0, 9).map(({ index, number }) => [index, number])).toEqual([
      [0, 1],
      [1, 3],
    ]);
  });

  test("that is wrong is refused with line and column, and the one before stays", () => {
    store.filter("icmp[icmptype] = icmp-echo");
    expect(store.filter("icmp and hots 1.2.3.4")).toMatchObject({
      line: 1,
      column: expect.any(Number),
      message: expect.stringContaining("column"),
    });
    expect(store.counts().matched).toBe(2);
  });

  test("applies to packets that come later, and an empty one shows all", () => {
    store.filter("icmp[icmptype] = icmp-echoreply");
    store.take(0, capture([3, echo(4, { type: 0 })]).slice(24));
    expect(store.counts().matched).toBe(2);
    store.filter(" ");
    expect(store.counts().matched).toBe(4);
  });
});

describe("a packet", () => {
  test("has its bytes and layers, and the places where it was seen, in spite of what a router changes", () => {
    const store = storeOf(
      capture([0, echo(1)], [9, echo(2)]),
      capture([2, echo(1, { ttl: 63, mac: 5 })], [11, echo(2, { ttl: 63, mac: 5 })]),
      capture([4, echo(3)]),
    );
    const packet = store.packet(1)!;
    expect(packet.bytes).toEqual(echo(1, { ttl: 63, mac: 5 }));
    expect(packet.layers.map(({ name }) => name)).toEqual(["Ethernet", "IPv4", "ICMP", "Data"]);
    expect(packet.ttl).toBe(63);
    expect(packet.sightings).toEqual([
      { linkId: "link 0", seconds: 0, number: 1 },
      { linkId: "link 1", seconds: 0.002, number: 1 },
    ]);
    expect(store.packet(99)).toBeUndefined();
  });

  test("has the reason why it is not read any further, unless the capture cut it", () => {
    const data = echo(1).subarray(0, 40);
    const cut = { seconds: 1, nanoseconds: 0, data, originalLength: 50 };
    const store = storeOf(capture([0, data]), encodeCapture([cut], { linkType: 1 }));
    const problems = [0, 1].map((index) => store.packet(index)!.layers.map(({ problem }) => problem));
    const [whole, short] = [0, 1].map((index) => store.packet(index)!.originalLength);
    expect([whole, short].sort()).toEqual([40, 50]);
    expect(problems.flat().filter((problem) => problem !== undefined)).toEqual([
      "IPv4 claims 36 bytes, 26 are there",
    ]);
  });
});
