/** Messages of computes: what is none is left out, and a redirect is not followed. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { parseMessage, readMessages } from "../../../../functions/shared/compute-events/messages.ts";
import { FakeCompute } from "../../../helpers/compute/fake-compute.ts";

test.each([
  "",
  "{",
  "null",
  "3",
  "[]",
  '{"action":"ping"}',
  '{"action":"ping","event":null}',
  '{"action":1,"event":{}}',
])("%s is no message", (text) => {
  expect(parseMessage(text)).toBeUndefined();
});

test("a message has an action, an event, and perhaps a project", () => {
  expect(parseMessage('{"action":"log.info","event":{"message":"x"},"project_id":"p"}')).toEqual({
    action: "log.info",
    event: { message: "x" },
    projectId: "p",
  });
  expect(parseMessage('{"action":"ping","event":{},"project_id":null}')?.projectId).toBeUndefined();
});

test("a redirect to another server ends the stream", async () => {
  const other = new FakeCompute();
  const elsewhere = `http://127.0.0.1:${await other.start()}/v2/compute/notifications/ws`;
  const redirecting = createServer();
  redirecting.on("upgrade", (_request, stream) => {
    stream.end(`HTTP/1.1 302 Found\r\nlocation: ${elsewhere}\r\nconnection: close\r\n\r\n`);
  });
  await once(redirecting.listen(0, "127.0.0.1"), "listening");
  const { port } = redirecting.address() as AddressInfo;
  const heard: unknown[] = [];
  const target = { url: `ws://127.0.0.1:${port}/v2/compute/notifications/ws`, headers: {}, name: "c" };
  await readMessages(target, new AbortController().signal, (message) => heard.push(message));
  expect([heard, other.followers]).toEqual([[], 0]);
  redirecting.close();
  await other.stop();
});

test("a message that is too large ends the stream", async () => {
  const compute = new FakeCompute();
  const url = `ws://127.0.0.1:${await compute.start()}/v2/compute/notifications/ws`;
  const heard: unknown[] = [];
  const ended = readMessages({ url, headers: {}, name: "c" }, new AbortController().signal, (message) =>
    heard.push(message),
  );
  await expect.poll(() => compute.followers).toBe(1);
  compute.notify("log.info", { message: "x".repeat(300_000) });
  await ended;
  expect(heard).toEqual([]);
  await compute.stop();
});
