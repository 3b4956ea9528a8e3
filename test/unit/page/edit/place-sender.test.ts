import { expect, test } from "vitest";
import { type Place, PlaceSender } from "../../../../page/src/edit/place-sender.ts";

/** A service whose requests end when the test says so. */
function slowService() {
  const open: { readonly id: string; readonly place: Place; end(error?: Error): void }[] = [];
  const sender = new PlaceSender(
    (id, place) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => {
          open.splice(open.indexOf(request), 1);
          if (error) reject(error);
          else resolve();
        };
        const request = { id, place, end };
        open.push(request);
      }),
  );
  /** Lets what follows a request happen. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { open, sender, settle };
}

const at = (x: number): Place => ({ x, y: 0 });

test("six requests are under way at once, in the order in which they were asked for", async () => {
  const { open, sender, settle } = slowService();
  const all = Array.from({ length: 20 }, (_, index) => sender.send(`n${index}`, at(index)));
  const sent: string[] = [];
  while (open.length > 0) {
    expect(open.length).toBeLessThanOrEqual(6);
    sent.push(open[0]!.id);
    open[0]!.end();
    await settle();
  }
  await Promise.all(all);
  expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => `n${index}`));
});

test("places of one device are sent one after another, and a place that was replaced is not sent", async () => {
  const { open, sender, settle } = slowService();
  const all = [1, 2, 3].map((x) => sender.send("a", at(x)));
  expect(open.map(({ place }) => place.x)).toEqual([1]);
  expect(sender.isWaiting("a")).toBe(true);
  open[0]!.end();
  await settle();
  expect(open.map(({ place }) => place.x)).toEqual([3]);
  expect(sender.isWaiting("a")).toBe(false);
  open[0]!.end();
  await Promise.all(all);
  expect(open).toEqual([]);
});

test("a failure is that of its device, and the others are sent", async () => {
  const { open, sender, settle } = slowService();
  const first = sender.send("a", at(1));
  const [replaced, last] = [sender.send("a", at(2)), sender.send("a", at(3))];
  const other = sender.send("b", at(1));
  const outcomes = Promise.allSettled([first, replaced, last, other]);
  open.find(({ id }) => id === "a")!.end();
  await settle();
  open.find(({ id }) => id === "a")!.end(new Error("busy"));
  open.find(({ id }) => id === "b")!.end();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "fulfilled",
  ]);
});
