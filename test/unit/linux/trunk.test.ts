import { expect, test } from "vitest";
import { addTag, removeTag } from "../../../packages/linux/device/trunk.ts";

const frame = Uint8Array.from([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 0x08, 0x06, 9, 9]);

test("a frame of a port has its VLAN on the way to the guest, and none on the way back", () => {
  const tagged = addTag(3, frame);
  expect([...tagged.subarray(12, 18)]).toEqual([0x81, 0x00, 0, 103, 0x08, 0x06]);
  expect(removeTag(tagged)).toEqual({ port: 3, frame });
});

test.each([
  ["is untagged", frame],
  ["has a VLAN of no port", Uint8Array.from([...frame.subarray(0, 12), 0x81, 0, 0, 7, 8, 0])],
  ["is too short", frame.subarray(0, 13)],
])("a frame that %s is of no port", (_name, data) => {
  expect(removeTag(data)).toBeUndefined();
});

test("the priority in a tag is not part of the port", () => {
  const tagged = addTag(2, frame);
  tagged[14] = 0xe0;
  expect(removeTag(tagged)?.port).toBe(2);
});
