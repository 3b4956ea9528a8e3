import { describe, expect, it } from "vitest";
import {
  BGP,
  decodeNotification,
  decodeRouteRefresh,
  encodeKeepalive,
  encodeMessage,
  encodeNotification,
  encodeRouteRefresh,
} from "../../../../../packages/engine/wire/bgp.ts";
import { makeBgpStream, takeMessages } from "../../../../../packages/engine/wire/bgp-stream.ts";

const UPDATE = encodeMessage(BGP.update, Uint8Array.of(0, 0, 0, 0));
const NOTIFICATION = encodeNotification({ code: 6, subcode: 2, data: Uint8Array.of(3, 98, 121, 101) });

function take(...segments: readonly Uint8Array[]) {
  const stream = makeBgpStream();
  const taken = segments.map((segment) => takeMessages(stream, segment));
  return { messages: taken.flatMap(({ messages }) => messages), error: taken.at(-1)!.error };
}

describe("a stream", () => {
  const whole = Uint8Array.from([...encodeKeepalive(), ...UPDATE, ...NOTIFICATION]);
  const messages = [
    { type: BGP.keepalive, body: new Uint8Array(0) },
    { type: BGP.update, body: Uint8Array.of(0, 0, 0, 0) },
    { type: BGP.notification, body: Uint8Array.of(6, 2, 3, 98, 121, 101) },
  ];

  it.each([1, 2, 7, 18, 19, 20, whole.length])("gives its messages from segments of %i bytes", (size) => {
    const segments: Uint8Array[] = [];
    for (let at = 0; at < whole.length; at += size) segments.push(whole.subarray(at, at + size));
    expect(take(...segments)).toEqual({ messages, error: undefined });
  });

  it("copies what it gives, so the segment can be used again", () => {
    const segment = UPDATE.slice();
    const { messages: taken } = take(segment);
    segment.fill(0xaa);
    expect(taken[0]!.body).toEqual(Uint8Array.of(0, 0, 0, 0));
  });

  it("keeps a message that has not ended", () => {
    const stream = makeBgpStream();
    takeMessages(stream, UPDATE.subarray(0, 21));
    expect(structuredClone(stream)).toEqual({
      bytes: Uint8Array.from([...UPDATE.subarray(0, 21), 0, 0]),
      filled: 21,
    });
  });
});

/** RFC 4271, section 6.1. */
describe("a wrong header", () => {
  const changed = (at: number, ...bytes: number[]): Uint8Array => {
    const message = UPDATE.slice();
    message.set(bytes, at);
    return message;
  };

  it.each([
    ["a marker with a zero", changed(3, 0), 1, []],
    ["a length below the header's", changed(16, 0, 18), 2, [0, 18]],
    ["an update of 22 bytes", changed(16, 0, 22), 2, [0, 22]],
    ["4,097 bytes", changed(16, 0x10, 0x01), 2, [0x10, 0x01]],
    ["an unknown type", changed(18, 9), 3, [9]],
    ["a keepalive with a body", encodeMessage(BGP.keepalive, Uint8Array.of(0)), 2, [0, 20]],
    ["a short open", encodeMessage(BGP.open, new Uint8Array(9)), 2, [0, 28]],
    ["a short notification", encodeMessage(BGP.notification, new Uint8Array(1)), 2, [0, 20]],
  ])("with %s ends the session", (_, message, subcode, data) => {
    const { messages, error } = take(encodeKeepalive(), message);
    expect(messages).toHaveLength(1);
    expect(error).toEqual({ code: 1, subcode, data: Uint8Array.from(data) });
  });

  it("has no long message but in a session with extended messages, where OPEN is short all the same", () => {
    const long = encodeMessage(BGP.update, new Uint8Array(5_000));
    expect(takeMessages(makeBgpStream(), long, 65_535).messages).toHaveLength(1);
    const open = encodeMessage(BGP.open, new Uint8Array(5_000));
    expect(takeMessages(makeBgpStream(), open, 65_535).error?.subcode).toBe(2);
  });
});

describe("short messages", () => {
  it("are decoded", () => {
    expect(decodeNotification(NOTIFICATION.subarray(19))).toEqual({
      code: 6,
      subcode: 2,
      data: Uint8Array.of(3, 98, 121, 101),
    });
    expect(decodeNotification(Uint8Array.of(6))).toBeNull();
    const refresh = { afi: 2, safi: 1, subtype: 1 };
    expect(decodeRouteRefresh(encodeRouteRefresh(refresh).subarray(19))).toEqual({ refresh });
  });

  it("report a refresh of another length with the whole message (RFC 7313, section 5)", () => {
    const message = encodeMessage(BGP.routeRefresh, Uint8Array.of(0, 1, 0));
    expect(decodeRouteRefresh(Uint8Array.of(0, 1, 0))).toEqual({
      error: { code: 7, subcode: 1, data: message },
    });
  });
});
