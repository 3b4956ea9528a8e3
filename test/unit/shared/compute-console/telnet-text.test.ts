import { describe, expect, test } from "vitest";
import { TelnetText } from "../../../../functions/shared/compute-console/telnet-text.ts";

const bytesOf = (...parts: (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part))));

/** What gns3-server sends first: WILL ECHO, WILL SUPPRESS-GO-AHEAD, WON'T BINARY, DO BINARY. */
const GREETING = [255, 251, 1, 255, 251, 3, 255, 252, 0, 255, 253, 0];

describe("the text in a telnet stream", () => {
  const stream = bytesOf(
    ...GREETING,
    "PC1> é",
    255,
    255 - 5,
    24,
    "x",
    255,
    255,
    1,
    255,
    240,
    "über\r\n",
    255,
    241,
    "end",
  );
  const text = "PC1> éüber\r\nend";

  test("has no commands, options and subnegotiations", () => {
    expect(new TelnetText().take(stream)).toBe(text);
  });

  test("is the same wherever the stream is cut", () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      const telnet = new TelnetText();
      expect(telnet.take(stream.subarray(0, cut)) + telnet.take(stream.subarray(cut))).toBe(text);
    }
    const telnet = new TelnetText();
    expect([...stream].map((byte) => telnet.take(Uint8Array.of(byte))).join("")).toBe(text);
  });

  test("has the byte of a doubled IAC, which is no UTF-8", () => {
    expect(new TelnetText().take(bytesOf("a", 255, 255, "b"))).toBe("a\u{fffd}b");
  });
});
