/** A socket of batches, with a kernel that refuses what the test wants. */
import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { BatchSocket } from "../../../../packages/wirelab/live/batch/batch-socket.ts";
import type { Libc } from "../../../../packages/wirelab/live/batch/libc.ts";

const { EAGAIN, ECONNREFUSED, EMSGSIZE, EACCES } = constants.errno;
const ADDRESS = { host: "127.0.0.1", port: 20_000 };
const FRAME = new Uint8Array(60);
const NO_HEADER = new Uint8Array(0);

/** @param results of `sendmmsg`, one after the other: a count, or a negative error; afterwards, all is sent. */
function open(results: number[], failing: Partial<Libc> = {}) {
  let errno = 0;
  const calls: string[] = [];
  const sizes: number[] = [];
  const libc: Libc = {
    socket: () => 9,
    bind: () => 0,
    connect: () => 0,
    setsockopt: () => 0,
    close: (fd) => calls.push(`close ${fd}`),
    recvmmsg: () => -1,
    sendmmsg(_fd, _messages, count) {
      sizes.push(count);
      const result = results.shift() ?? count;
      errno = Math.max(-result, 0);
      return result < 0 ? -1 : result;
    },
    ppoll: () => 0,
    sched_setscheduler: () => 0,
    errno: () => errno || EACCES,
    addressOf: () => 4_096,
    ...failing,
  };
  const socket = new BatchSocket(
    libc,
    { listen: ADDRESS, to: ADDRESS, onlyFromPort: true, receive() {} },
    { closed: () => calls.push("closed"), waitToSend: (fd, ms) => calls.push(`wait ${fd} ${ms}`) },
  );
  return { socket, calls, sizes };
}

const sendFrames = (socket: BatchSocket, count: number): void => {
  for (let sent = 0; sent < count; sent++) socket.send(NO_HEADER, FRAME);
};

describe("a socket of batches", () => {
  test("sends at once when a batch is full, and the rest when it is flushed", () => {
    const { socket, sizes } = open([]);
    sendFrames(socket, 65);
    expect(sizes).toEqual([64]);
    socket.flush();
    socket.flush();
    expect(sizes).toEqual([64, 1]);
  });

  test("sends before its room for bytes is full", () => {
    const { socket, sizes } = open([]);
    for (let sent = 0; sent < 17; sent++) socket.send(NO_HEADER, new Uint8Array(65_000));
    expect(sizes).toEqual([16]);
  });

  test("continues after the datagrams that the kernel has taken", () => {
    const { socket, sizes } = open([3, 2]);
    sendFrames(socket, 7);
    socket.flush();
    expect(sizes).toEqual([7, 4, 2]);
  });

  test("repeats a datagram after the ICMP error of an earlier one", () => {
    const { socket, sizes } = open([-ECONNREFUSED]);
    sendFrames(socket, 2);
    socket.flush();
    expect(sizes).toEqual([2, 2]);
  });

  test("loses a datagram that the kernel refuses twice, and sends those after it", () => {
    const { socket, sizes } = open([1, -EMSGSIZE, -EMSGSIZE]);
    sendFrames(socket, 3);
    socket.flush();
    expect(sizes).toEqual([3, 2, 2, 1]);
  });

  test("waits once for a full kernel, and then loses the batch", () => {
    const { socket, calls, sizes } = open([-EAGAIN, -EAGAIN]);
    sendFrames(socket, 5);
    socket.flush();
    expect(calls).toEqual(["wait 9 2"]);
    sendFrames(socket, 1);
    socket.flush();
    expect(sizes).toEqual([5, 5, 1]);
  });

  test("closes once, and ignores frames afterwards", async () => {
    const { socket, calls, sizes } = open([]);
    await socket.close();
    await socket.close();
    sendFrames(socket, 1);
    socket.flush();
    expect(calls).toEqual(["close 9", "closed"]);
    expect(sizes).toEqual([]);
  });

  test.each([
    [{ socket: () => -1 }, "cannot listen at 127.0.0.1 port 20000: socket EACCES: permission denied"],
    [{ bind: () => -1 }, "cannot listen at 127.0.0.1 port 20000: bind EACCES: permission denied"],
    [{ connect: () => -1 }, "cannot send to 127.0.0.1 port 20000: connect EACCES: permission denied"],
  ])("reports a call that fails", (failing, message) => {
    expect(() => open([], failing)).toThrow(message);
  });
});
