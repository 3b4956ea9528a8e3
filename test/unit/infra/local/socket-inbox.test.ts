/** One client's messages leave workers for others. */
import { expect, test } from "vitest";
import { SocketInbox } from "../../../../infra/local/socket-inbox.ts";

/** An inbox whose messages are handled when the test says so. */
function makeInbox() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const flow: string[] = [];
  const inbox = new SocketInbox(
    (text) => {
      begun.push(text);
      return new Promise((resolve) => ends.push(resolve));
    },
    { pause: () => flow.push("pause"), resume: () => flow.push("resume") },
  );
  /** Ends the handling of the first message, and lets the next begin. */
  const finish = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { inbox, begun, ends, flow, finish };
}

test("four messages of a connection are handled at once, the others in their order as these end", async () => {
  const { inbox, begun, ends, finish } = makeInbox();
  for (let number = 0; number < 7; number++) inbox.add(String(number));
  expect(begun).toEqual(["0", "1", "2", "3"]);
  await finish();
  expect(begun).toEqual(["0", "1", "2", "3", "4"]);
  while (ends.length > 0) await finish();
  expect(begun).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
  inbox.add("7");
  expect(begun.at(-1)).toBe("7");
});

test("ten thousand messages are read no faster than they are handled, and none is lost", async () => {
  const { inbox, begun, ends, flow, finish } = makeInbox();
  let sent = 0;
  const isRead = () => flow.at(-1) !== "pause";
  const send = () => {
    while (sent < 10_000 && isRead()) inbox.add(String(sent++));
  };
  send();
  expect([sent, flow]).toEqual([260, ["pause"]]);
  while (ends.length > 0) {
    await finish();
    send();
  }
  expect(begun).toHaveLength(10_000);
  expect(begun.at(-1)).toBe("9999");
  expect(flow.at(-1)).toBe("resume");
});
