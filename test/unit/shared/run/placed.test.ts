/** Where the packets of a run are stored. */
import { randomBytes } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { placed, type RecordedChange } from "../../../../functions/shared/run/placed.ts";
import type { LinkChange } from "../../../../functions/shared/store/commit/run-changes.ts";

const change = (recorded: Uint8Array, number = 0): RecordedChange => ({
  kind: "link",
  link_id: "l",
  revision: 1,
  added: { capture_id: "c", number, recorded, packets: 1, bytes: 1, end_ns: "0", limit_reached: false },
});

const addedTo = (changes: readonly unknown[]) => changes.map((each) => (each as LinkChange).added!);
const zeros = (bytes: number) => new Uint8Array(bytes);

describe("the packets of a run", () => {
  test("are items if they are few, each with its own", () => {
    const { changes, object } = placed([change(Buffer.from("one")), change(Buffer.from("other"))]);
    expect(object).toBeUndefined();
    const [one, other] = addedTo(changes);
    expect([one!.segment, other!.segment]).toEqual([{ length: 3 }, { length: 5 }]);
    const inflated = [one!, other!].map(({ deflated }) =>
      inflateRawSync(Buffer.from(deflated!, "base64")).toString(),
    );
    expect(inflated).toEqual(["one", "other"]);
    expect(one).not.toHaveProperty("recorded");
  });

  test.each([
    ["take more than three write units", [randomBytes(3_000)]],
    ["take them together", [randomBytes(1_000), randomBytes(1_000)]],
    ["belong to more captures than that", Array.from({ length: 4 }, () => zeros(100))],
    ["are more bytes than a reader inflates at once", [zeros(32_769)]],
  ])("are an object if they %s", (_, recorded) => {
    const { changes, object } = placed(recorded.map((bytes) => change(bytes)));
    expect(Buffer.concat(recorded).equals(object!.bytes)).toBe(true);
    let offset = 0;
    for (const { segment, deflated } of addedTo(changes)) {
      expect(segment).toEqual({ object_id: object!.id, offset, length: recorded[0]!.length });
      expect(deflated).toBeUndefined();
      offset += segment.length;
    }
  });

  test("are items up to what these take", () => {
    expect(placed([change(randomBytes(2_800))]).object).toBeUndefined();
    expect(placed([change(zeros(32_768))]).object).toBeUndefined();
    expect(placed([1, 2, 3].map(() => change(zeros(100)))).object).toBeUndefined();
  });

  test("are an object from the thousandth segment of a capture on", () => {
    expect(placed([change(zeros(10), 999)]).object).toBeUndefined();
    expect(placed([change(zeros(10), 1_000)]).object).toBeDefined();
  });

  test("have no place if there are none", () => {
    const { changes, object } = placed([change(zeros(0))]);
    expect(object).toBeUndefined();
    expect(addedTo(changes)).toMatchObject([{ segment: { length: 0 } }]);
    expect(addedTo(changes)[0]!.deflated).toBeUndefined();
  });

  test("leave changes without packets as they are", () => {
    const others: RecordedChange[] = [
      { kind: "link", link_id: "l", revision: 1, state: {} as never },
      { kind: "node", node_id: "n", status: "started" },
    ];
    expect(placed(others)).toEqual({ changes: others });
  });
});
