/** Wires, with sockets of the test on the other side. */
import { createSocket, type Socket } from "node:dgram";
import type { Outside } from "@wirelab/lab/model/outside";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BatchNetwork } from "../../../../packages/wirelab/live/batch/batch-network.ts";
import { loadLibc } from "../../../../packages/wirelab/live/batch/libc.ts";
import { openNetwork } from "../../../../packages/wirelab/live/open-network.ts";
import type { Network } from "../../../../packages/wirelab/live/wires/network.ts";
import { makeNodeNetwork } from "../../../../packages/wirelab/live/wires/node-network.ts";
import { openWire } from "../../../../packages/wirelab/live/wires/open-wire.ts";

const FRAME = Buffer.alloc(60, 7);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The other side of a wire. */
async function openPeer(host = "127.0.0.1") {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  closing.push(() => socket.close());
  await new Promise<void>((resolve) => socket.bind(0, host, resolve));
  return { socket, address: { host, port: socket.address().port } };
}

const next = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve) => socket.once("message", (datagram) => resolve(datagram)));

/** Resolves when a frame that is sent after the others has arrived: those have then arrived, too, or are ignored. */
async function flush(send: () => void, received: readonly Buffer[], count: number): Promise<void> {
  send();
  while (received.length < count) await new Promise((resolve) => setImmediate(resolve));
}

const libc = await loadLibc();
const networks: [string, () => Network][] = [
  ["sockets of Node", makeNodeNetwork],
  ...(libc ? [["batches", () => new BatchNetwork(libc)] as [string, () => Network]] : []),
];

describe.each(networks)("with %s", (_name, makeNetwork) => {
  let network: Network;
  beforeEach(() => {
    network = makeNetwork();
  });

  /** Opens a wire to the peer, at a port that nothing uses. */
  async function open(outside: (listen: { host: string; port: number }) => Outside, host = "127.0.0.1") {
    const { socket, address } = await openPeer(host);
    closing.pop();
    await new Promise<void>((resolve) => socket.close(() => resolve()));
    const received: Buffer[] = [];
    const wire = await openWire(network, outside(address), (frame) => received.push(Buffer.from(frame)));
    closing.push(() => wire.close());
    return { wire, listen: address, received };
  }

  describe("UDP", () => {
    test.each(["127.0.0.1", "::1"])("has a frame in each datagram, at %s", async (host) => {
      const peer = await openPeer(host);
      const { wire, listen, received } = await open(
        (at) => ({ kind: "udp", listen: at, to: peer.address }),
        host,
      );
      const arrived = next(peer.socket);
      wire.send(FRAME);
      expect(await arrived).toEqual(FRAME);
      await flush(() => peer.socket.send(FRAME, listen.port, host), received, 1);
      expect(received).toEqual([FRAME]);
    });

    test("ignores datagrams of others, and those that are no frames", async () => {
      const [peer, other] = [await openPeer(), await openPeer()];
      const { listen, received } = await open((at) => ({ kind: "udp", listen: at, to: peer.address }));
      await new Promise((resolve) => other.socket.send(FRAME, listen.port, listen.host, resolve));
      await new Promise((resolve) => peer.socket.send(Buffer.alloc(13), listen.port, listen.host, resolve));
      await flush(() => peer.socket.send(FRAME, listen.port, listen.host), received, 1);
      expect(received).toEqual([FRAME]);
    });

    test("sends to a peer that has not started yet", async () => {
      const { address, socket } = await openPeer();
      closing.pop();
      await new Promise<void>((resolve) => socket.close(() => resolve()));
      const { wire } = await open((at) => ({ kind: "udp", listen: at, to: address }));
      wire.send(FRAME);
      wire.send(FRAME);
      const late = createSocket("udp4");
      closing.push(() => late.close());
      await new Promise<void>((resolve) => late.bind(address.port, address.host, resolve));
      const arrived = next(late);
      wire.send(FRAME);
      expect(await arrived).toEqual(FRAME);
    });

    test("reports an address that is taken", async () => {
      const { address } = await openPeer();
      const opened = openWire(network, { kind: "udp", listen: address, to: address }, () => {});
      await expect(opened).rejects.toThrow(`cannot listen at 127.0.0.1 port ${address.port}: `);
    });

    test("loses a frame that no datagram holds, and sends the next one", async () => {
      const peer = await openPeer();
      const { wire } = await open((at) => ({ kind: "udp", listen: at, to: peer.address }));
      const arrived = next(peer.socket);
      wire.send(Buffer.alloc(65_520));
      wire.send(Buffer.alloc(70_000));
      wire.send(FRAME);
      expect(await arrived).toEqual(FRAME);
    });

    test("carries more frames than a batch has, and the longest ones, in order", async () => {
      const peer = await openPeer();
      const { wire, listen, received } = await open((at) => ({ kind: "udp", listen: at, to: peer.address }));
      const frames = Array.from({ length: 100 }, (_, index) => Buffer.alloc(60, index));
      const longest = Buffer.alloc(65_507, 9);
      const arrived = new Promise<Buffer[]>((resolve) => {
        const all: Buffer[] = [];
        peer.socket.on("message", (datagram) => {
          all.push(datagram);
          if (all.length === frames.length + 1) resolve(all);
        });
      });
      for (const frame of [...frames, longest]) wire.send(frame);
      expect(await arrived).toEqual([...frames, longest]);
      for (const frame of frames) peer.socket.send(frame, listen.port, listen.host);
      await flush(() => peer.socket.send(longest, listen.port, listen.host), received, frames.length + 1);
      expect(received).toEqual([...frames, longest]);
    });

    test("sends what waits before it closes", async () => {
      const peer = await openPeer();
      const { wire } = await open((at) => ({ kind: "udp", listen: at, to: peer.address }));
      closing.pop();
      const arrived = next(peer.socket);
      wire.send(FRAME);
      await wire.close();
      expect(await arrived).toEqual(FRAME);
    });

    test("reports an address to send to that its socket cannot reach", async () => {
      const { address, socket } = await openPeer();
      closing.pop();
      await new Promise<void>((resolve) => socket.close(() => resolve()));
      const to = { host: "::1", port: 9 };
      const opened = openWire(network, { kind: "udp", listen: address, to }, () => {});
      await expect(opened).rejects.toThrow("cannot send to ::1 port 9: ");
    });
  });

  describe("VXLAN", () => {
    const header = (vni: number, flags = 0x08) =>
      Buffer.from([flags, 0, 0, 0, vni >> 16, (vni >> 8) & 255, vni & 255, 0]);

    test("has the header of RFC 7348 before each frame", async () => {
      const peer = await openPeer();
      const { wire, listen, received } = await open((at) => ({
        kind: "vxlan",
        vni: 0x123456,
        listen: at,
        to: peer.address,
      }));
      const arrived = next(peer.socket);
      wire.send(FRAME);
      expect(await arrived).toEqual(Buffer.concat([header(0x123456), FRAME]));
      // The peer's source port differs from flow to flow.
      const other = await openPeer();
      const datagram = Buffer.concat([header(0x123456), FRAME]);
      await flush(() => other.socket.send(datagram, listen.port, listen.host), received, 1);
      expect(received).toEqual([FRAME]);
    });

    test("ignores other networks, headers without one, and what is too short", async () => {
      const peer = await openPeer();
      const { listen, received } = await open((at) => ({
        kind: "vxlan",
        vni: 7,
        listen: at,
        to: peer.address,
      }));
      const send = (datagram: Buffer) =>
        new Promise((resolve) => peer.socket.send(datagram, listen.port, listen.host, resolve));
      await send(Buffer.concat([header(8), FRAME]));
      await send(Buffer.concat([header(7, 0), FRAME]));
      await send(Buffer.concat([header(7), FRAME.subarray(0, 13)]));
      await flush(() => void send(Buffer.concat([header(7), FRAME])), received, 1);
      expect(received).toEqual([FRAME]);
    });
  });

  test("time calls back, and not after it is cancelled", async () => {
    const { time } = network;
    const calls: string[] = [];
    const atNs = time.nowNs() + 1_000_000;
    time.wakeAt(atNs, () => calls.push("never"));
    time.cancel();
    await new Promise<void>((resolve) => {
      const call = (): void => {
        if (time.nowNs() < atNs) time.wakeAt(atNs, call);
        else resolve();
      };
      time.wakeAt(atNs, call);
    });
    expect(calls).toEqual([]);
    expect(time.nowNs()).toBeGreaterThanOrEqual(atNs);
  });
});

describe("the network of a lab", () => {
  const at = (host: string) => ({ host, port: 1 });
  const udp = (host: string): Outside => ({ kind: "udp", listen: at(host), to: at(host) });

  test.runIf(libc)("has batches on this system", async () => {
    expect((await openNetwork([udp("127.0.0.1"), { kind: "tap", name: "t" }])).name).toBe(
      "batches of datagrams",
    );
  });

  test("has the sockets of Node for an address with a zone", async () => {
    const { name } = await openNetwork([udp("127.0.0.1"), udp("fe80::1%eth0")]);
    expect(name).toBe("one datagram in each system call");
  });
});

describe("an interface", () => {
  test("needs socat", async () => {
    const before = process.env.PATH;
    process.env.PATH = "/nowhere";
    try {
      const opened = openWire(makeNodeNetwork(), { kind: "tap", name: "tap7" }, () => {});
      await expect(opened).rejects.toThrow("cannot start socat");
    } finally {
      process.env.PATH = before;
    }
  });
});
