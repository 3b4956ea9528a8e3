import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeTelnet, GREETING, TelnetDecoder } from "../../../../packages/wirelab/telnet/codec.ts";

const IAC = 255;
const [DONT, DO, WONT, WILL, SB, SE] = [254, 253, 252, 251, 250, 240];
const [BINARY, ECHO, SGA, NAWS] = [0, 1, 3, 31];

function decode(chunks: readonly (readonly number[])[]): { text: string; answers: number[] } {
  const answers: number[] = [];
  const decoder = new TelnetDecoder((bytes) => answers.push(...bytes));
  return { text: chunks.map((bytes) => decoder.decode(Uint8Array.from(bytes))).join(""), answers };
}

const bytesOf = (text: string): number[] => [...Buffer.from(text)];

test("the server offers to echo, to suppress go-aheads, and binary both ways", () => {
  expect([...GREETING]).toEqual([
    ...[IAC, WILL, ECHO, IAC, WILL, SGA, IAC, WILL, BINARY],
    ...[IAC, DO, SGA, IAC, DO, BINARY],
  ]);
});

describe("negotiation", () => {
  test.each([
    ["an accepted offer needs no answer", [IAC, DO, ECHO, IAC, DO, SGA, IAC, WILL, SGA], []],
    ["a refused offer is confirmed once", [IAC, DONT, ECHO, IAC, DONT, ECHO], [IAC, WONT, ECHO]],
    ["a refused request is confirmed once", [IAC, WONT, BINARY, IAC, WONT, BINARY], [IAC, DONT, BINARY]],
    ["an unknown option of the client is refused", [IAC, WILL, NAWS], [IAC, DONT, NAWS]],
    ["a request for an unknown option is refused", [IAC, DO, NAWS], [IAC, WONT, NAWS]],
    ["the client may not echo", [IAC, WILL, ECHO], [IAC, DONT, ECHO]],
    ["an option can be enabled again", [IAC, DONT, SGA, IAC, DO, SGA], [IAC, WONT, SGA, IAC, WILL, SGA]],
    ["a refusal of an unknown option needs no answer", [IAC, DONT, NAWS, IAC, WONT, NAWS], []],
  ])("%s", (_, bytes, answers) => {
    expect(decode([[...bytesOf("a"), ...bytes, ...bytesOf("b")]])).toEqual({ text: "ab", answers });
  });

  test("subnegotiations are skipped, a doubled IAC in them as well", () => {
    const { text, answers } = decode([
      [...bytesOf("a"), IAC, SB, NAWS, 0, 80, 0, IAC, IAC, IAC, SE, ...bytesOf("b")],
    ]);
    expect([text, answers]).toEqual(["ab", []]);
  });
});

test("commands that stand for a key", () => {
  const [erase, eraseLine, interrupt, brk, nop] = [247, 248, 244, 243, 241];
  const keys = [erase, eraseLine, interrupt, brk, nop].flatMap((command) => [IAC, command!, 46]);
  expect(decode([keys]).text).toBe("\x7f.\x15.\x03.\x03..");
});

test("answers `are you there`", () => {
  expect(String.fromCharCode(...decode([[IAC, 246]]).answers)).toBe("\r\n[Yes]\r\n");
});

test("the text does not depend on how the bytes are split", () => {
  const part = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 4 }).map(bytesOf),
    fc.constantFrom(
      ...[
        [IAC, DO, ECHO],
        [IAC, WILL, NAWS],
        [IAC, SB, NAWS, IAC, IAC, 1, IAC, SE],
        [IAC, 244],
      ],
    ),
  );
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(), { maxLength: 6 }), (parts, cuts) => {
      const bytes = parts.flat();
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
        (a, b) => a - b,
      );
      const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end));
      expect(decode(chunks)).toEqual(decode([bytes]));
    }),
  );
});

test("any bytes are decoded without an error", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (chunks) => void decode(chunks.map((bytes) => [...bytes]))),
  );
});

test("the byte 255 is doubled on its way out", () => {
  expect([...encodeTelnet(Uint8Array.of(1, IAC, 2))]).toEqual([1, IAC, IAC, 2]);
  const plain = Uint8Array.of(1, 2);
  expect(encodeTelnet(plain)).toBe(plain);
});
