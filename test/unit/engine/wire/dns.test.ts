import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DNS_A,
  DNS_AAAA,
  DNS_CNAME,
  type DnsMessage,
  type DnsRecord,
  decodeDns,
  decodeDnsName,
  encodeDecodedName,
  encodeDns,
  encodeDnsQuery,
  sameName,
} from "../../../../packages/engine/wire/dns.ts";

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
const labels = (...names: string[]): number[] => names.flatMap((name) => [name.length, ...ascii(name)]);

/** A response with a question for `www.lab.test` at offset 12, followed by the given bytes. */
const response = (answers: number, ...bytes: number[]): Uint8Array =>
  Uint8Array.of(
    ...[0x12, 0x34, 0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0],
    ...labels("www", "lab", "test"),
    ...[0, 0, 1, 0, 1],
    ...bytes,
  );
const POINTER_TO_QUESTION = [0xc0, 12];
const record = (type: number, ...data: number[]): number[] => [
  0,
  type,
  0,
  1,
  0,
  0,
  0,
  60,
  0,
  data.length,
  ...data,
];

describe("DNS queries", () => {
  test("a query is its golden bytes: one question, recursion desired", () => {
    expect(encodeDnsQuery(0xabcd, "cn.lab.test", DNS_AAAA)).toEqual(
      Uint8Array.of(
        ...[0xab, 0xcd, 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0],
        ...labels("cn", "lab", "test"),
        ...[0, 0, 28, 0, 1],
      ),
    );
  });

  test("a dot at the end changes nothing", () => {
    expect(encodeDnsQuery(1, "a.b.", DNS_A)).toEqual(encodeDnsQuery(1, "a.b", DNS_A));
  });

  test.each([
    ["", "nothing"],
    [".", "a dot"],
    ["a..b", "an empty label"],
    [`${"a".repeat(64)}.test`, "a label of 64 bytes"],
    [`${"abcdefg.".repeat(31)}abcdefg`, "a name of 257 bytes"],
    ["a.漢", "a character that is no byte"],
  ])("%j is rejected: %s", (name) => {
    expect(encodeDnsQuery(1, name, DNS_A)).toBeNull();
  });

  test("a label of 63 bytes and a name of 255 are accepted", () => {
    expect(encodeDnsQuery(1, `${"a".repeat(63)}.test`, DNS_A)).not.toBeNull();
    expect(encodeDnsQuery(1, `${"abcdefg.".repeat(31)}abcde`, DNS_A)).not.toBeNull();
    expect(encodeDnsQuery(1, `${"abcdefg.".repeat(31)}abcdef`, DNS_A)).toBeNull();
  });
});

describe("DNS answers", () => {
  test("an address behind an alias is read through compression pointers", () => {
    const alias = [...POINTER_TO_QUESTION, ...record(DNS_CNAME, 1, 0x62, 0xc0, 16)];
    const address = [1, 0x62, 0xc0, 16, ...record(DNS_A, 10, 0, 0, 80)];
    expect(decodeDns(response(2, ...alias, ...address))).toEqual({
      id: 0x1234,
      response: true,
      recursionDesired: true,
      rcode: 0,
      questions: [{ name: "www.lab.test", type: DNS_A }],
      answers: [
        { type: DNS_CNAME, name: "www.lab.test", canonical: "b.lab.test" },
        { type: DNS_A, name: "b.lab.test", address: 0x0a00_0050 },
      ],
    });
  });

  test("records of other types, classes and sizes are omitted, records behind them are not", () => {
    const wanted = [...POINTER_TO_QUESTION, ...record(DNS_A, 1, 2, 3, 4)];
    const text = [...POINTER_TO_QUESTION, ...record(16, 1, 0x61)];
    const short = [...POINTER_TO_QUESTION, ...record(DNS_A, 1, 2, 3)];
    const chaos = [...POINTER_TO_QUESTION, ...record(DNS_A, 9, 9, 9, 9)];
    chaos[5] = 3;
    const message = decodeDns(response(4, ...text, ...short, ...chaos, ...wanted));
    expect(message?.answers).toEqual([{ type: DNS_A, name: "www.lab.test", address: 0x0102_0304 }]);
  });

  test("answers are decoded up to the first incomplete one", () => {
    const wanted = [...POINTER_TO_QUESTION, ...record(DNS_A, 1, 2, 3, 4)];
    const message = response(3, ...wanted, ...wanted);
    expect(decodeDns(message.subarray(0, -1))?.answers).toHaveLength(1);
    expect(decodeDns(message)?.answers).toHaveLength(2);
  });

  test.each([
    ["itself", [0xc0, 30]],
    ["a pointer back to it", [0xc0, 32, 0xc0, 30]],
    ["a label before it", [1, 0x61, 0xc0, 30]],
    ["beyond the end", [0xff, 0xff]],
    ["half a pointer", [0xc0]],
    ["a label of a reserved kind", [0x80, 1]],
  ])("a name with a pointer to %s is rejected", (_where, name) => {
    expect(decodeDns(response(1, ...name, ...record(DNS_A, 1, 2, 3, 4)))?.answers).toEqual([]);
  });

  test("a name that pointers make too long is rejected", () => {
    const long = labels("a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61));
    const name = (extra: number[]) => [...extra, ...long, 0];
    const answers = (extra: number[]) =>
      decodeDns(response(1, ...name(extra), ...record(DNS_A, 1, 2, 3, 4)))?.answers.length;
    expect(answers([])).toBe(1);
    expect(answers([1, 0x7a])).toBe(0);
  });

  test("bytes that are not valid in a name are escaped", () => {
    const evil = [5, 0x1b, 0x5b, 0x2e, 0x5c, 0xe9, 0, ...record(DNS_A, 1, 2, 3, 4)];
    expect(decodeDns(response(1, ...evil))?.answers[0]?.name).toBe("\\027[\\046\\092\\233");
  });

  test("a message without its header or its question is not decoded", () => {
    const message = response(0);
    expect(decodeDns(message)).not.toBeNull();
    expect(decodeDns(message.subarray(0, -1))).toBeNull();
    expect(decodeDns(message.subarray(0, 11))).toBeNull();
  });
});

describe("Any DNS message", () => {
  const name = fc
    .array(fc.string({ unit: fc.constantFrom(..."abcXYZ019-_"), minLength: 1, maxLength: 63 }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.join("."));
  const answer: fc.Arbitrary<DnsRecord> = fc.oneof(
    fc.record({ type: fc.constant(DNS_A), name, address: fc.integer({ min: 0, max: 0xffff_ffff }) }),
    fc.record({ type: fc.constant(DNS_AAAA), name, address: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }) }),
    fc.record({ type: fc.constant(DNS_CNAME), name, canonical: name }),
  );

  test("decodes from its bytes unchanged", () => {
    const message: fc.Arbitrary<DnsMessage> = fc.record({
      id: fc.nat(0xffff),
      response: fc.boolean(),
      recursionDesired: fc.boolean(),
      rcode: fc.nat(15),
      questions: fc.array(fc.record({ name, type: fc.nat(0xffff) }), { maxLength: 3 }),
      answers: fc.array(answer, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(message, (value) => {
        expect(decodeDns(encodeDns(value))).toEqual(value);
      }),
    );
  });

  test("a name that was decoded is encoded to the same bytes, whatever they are", () => {
    const label = fc.uint8Array({ minLength: 1, maxLength: 63 });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), (parts) => {
        const bytes = Uint8Array.of(...parts.flatMap((part) => [part.length, ...part]), 0);
        expect(encodeDecodedName(decodeDnsName(bytes, 0)!.text)).toEqual(bytes);
      }),
      {
        examples: [
          [[]],
          [[Uint8Array.of(0x5c, 0x30, 0x36, 0x35)]],
          [[Uint8Array.of(0x2e), Uint8Array.of(255)]],
        ],
      },
    );
  });

  test("a text that no name decodes to is not encoded", () => {
    expect(() => encodeDecodedName("a..b")).toThrow(RangeError);
    expect(encodeDecodedName("\\999")).toEqual(Uint8Array.of(4, 0x5c, 0x39, 0x39, 0x39, 0));
  });

  test("no bytes make the decoder throw", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => void decodeDns(bytes)));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1, 12, 28, 40, 0xc0), { maxLength: 60 }), (bytes) => {
        decodeDns(response(9, ...bytes));
      }),
    );
  });

  test("names are compared without regard to case", () => {
    expect(sameName("WWW.lab.test", "www.LAB.test")).toBe(true);
    expect(sameName("www.lab.test", "www.lab.tes")).toBe(false);
  });
});
