import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeMessage, type NextHop, type Nlri } from "../../../../../packages/engine/wire/bgp.ts";
import { LOCAL_ATTRIBUTES, type PathAttributes } from "../../../../../packages/engine/wire/bgp-attributes.ts";
import { decodeOpen, encodeOpen } from "../../../../../packages/engine/wire/bgp-open.ts";
import { decodeUpdate, makeAttributeMemory } from "../../../../../packages/engine/wire/bgp-read-update.ts";
import { makeBgpStream, takeMessages } from "../../../../../packages/engine/wire/bgp-stream.ts";
import type { UpdateForm } from "../../../../../packages/engine/wire/bgp-update.ts";
import {
  encodeAnnouncements,
  encodeWithdrawals,
} from "../../../../../packages/engine/wire/bgp-write-update.ts";
import { maskOf } from "../../../../../packages/engine/wire/ipv4-address.ts";

const word = fc.integer({ min: 0, max: 0xffff_ffff });
const system = fc.oneof(fc.integer({ min: 1, max: 0xffff_ffff }), fc.integer({ min: 1, max: 0xffff }));
const wide = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
const set = <T>(all: fc.Arbitrary<T>, compare: (a: T, b: T) => number): fc.Arbitrary<T[]> =>
  fc
    .array(all, { maxLength: 5 })
    .map((each) =>
      each.toSorted(compare).filter((one, at, sorted) => at === 0 || compare(sorted[at - 1]!, one) !== 0),
    );
const byWords = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
};
const maybe = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(each, { nil: null });

const attributes: fc.Arbitrary<PathAttributes> = fc.record({
  origin: fc.integer({ min: 0, max: 2 }),
  asPath: fc.array(
    fc.record({ type: fc.constantFrom(1, 2), systems: fc.array(system, { minLength: 1, maxLength: 6 }) }),
    { maxLength: 3 },
  ),
  med: maybe(word),
  localPreference: word,
  isAtomicAggregate: fc.boolean(),
  aggregator: maybe(fc.record({ system, address: word })),
  communities: set(word, (a, b) => a - b),
  extendedCommunities: set(fc.tuple(word, word), byWords),
  largeCommunities: set(fc.tuple(word, word, word), byWords),
  originatorId: maybe(word),
  clusterList: fc.array(word, { maxLength: 3 }),
  unknown: fc.uniqueArray(fc.integer({ min: 100, max: 255 }), { maxLength: 2 }).chain((types) =>
    fc.tuple(
      ...types
        .toSorted((a, b) => a - b)
        .map((type) =>
          fc.record({
            flags: fc.constant(0xe0),
            type: fc.constant(type),
            value: fc.uint8Array({ maxLength: 300 }),
          }),
        ),
    ),
  ),
});

const ipv4: fc.Arbitrary<Nlri> = fc
  .tuple(word, fc.integer({ min: 0, max: 32 }))
  .map(([address, length]) => ({ family: "ipv4", address: (address & maskOf(length)) >>> 0, length }));
const ipv6: fc.Arbitrary<Nlri> = fc.tuple(wide, fc.integer({ min: 0, max: 128 })).map(([address, length]) => {
  const shift = BigInt(128 - length);
  return { family: "ipv6", address: (address >> shift) << shift, length };
});
const routes: fc.Arbitrary<{ nextHop: NextHop; prefixes: Nlri[] }> = fc.oneof(
  fc.record({
    nextHop: fc.constantFrom<NextHop>(
      { family: "ipv4", address: 0x0a00_0001 },
      { family: "ipv6", address: 0xfe80n << 112n },
    ),
    prefixes: fc.array(ipv4, { minLength: 1, maxLength: 900 }),
  }),
  fc.record({
    nextHop: fc.constantFrom<NextHop>(
      { family: "ipv6", address: 0x2001n << 112n },
      { family: "ipv6", address: 0x2001n << 112n, linkLocal: (0xfe80n << 112n) | 1n },
    ),
    prefixes: fc.array(ipv6, { minLength: 1, maxLength: 300 }),
  }),
);
const form: fc.Arbitrary<UpdateForm> = fc.record({
  hasAs4: fc.boolean(),
  session: fc.constantFrom("internal", "confederation"),
  addPath: fc.constant([]),
});

/** What a path of 2 bytes can give back: neighbouring sequences with AS numbers of 4 bytes are joined. */
const systemsOf = ({ asPath }: PathAttributes): string =>
  asPath.map(({ type, systems }) => (type === 2 ? systems.join(" ") : `{${systems.join(" ")}}`)).join(" ");

/** An aggregator with an AS number of 2 bytes makes old speakers ignore AS4_PATH (RFC 6793, section 4.2.3). */
const isLossy = ({ aggregator }: PathAttributes): boolean =>
  aggregator !== null && aggregator.system <= 0xffff;

describe("updates", () => {
  it("are what they were after writing and reading, in any form, with or without a memory", () => {
    const memory = makeAttributeMemory();
    fc.assert(
      fc.property(attributes, routes, form, (given, { nextHop, prefixes }, agreed) => {
        const read = encodeAnnouncements(given, nextHop, prefixes, agreed)!.map((message) => {
          expect(message.length).toBeLessThanOrEqual(4_096);
          const result = decodeUpdate(message.subarray(19), agreed);
          expect(decodeUpdate(message.subarray(19), agreed, memory)).toEqual(result);
          if ("error" in result) throw new Error(result.text);
          expect(result.faults).toEqual([]);
          return result.update;
        });
        expect(read.flatMap(({ announced }) => announced.flatMap((each) => each.prefixes))).toEqual(prefixes);
        for (const { announced, attributes: path } of read) {
          expect(announced.map((each) => each.nextHop)).toEqual([nextHop]);
          expect({ ...path, asPath: [] }).toEqual({ ...given, asPath: [] });
          if (!isLossy(given)) expect(systemsOf(path!)).toEqual(systemsOf(given));
          if (agreed.hasAs4) expect(path).toEqual(given);
        }
      }),
    );
  });

  it("withdraw what was withdrawn", () => {
    fc.assert(
      fc.property(routes, form, ({ prefixes }, agreed) => {
        const withdrawn = encodeWithdrawals(prefixes).flatMap((message) => {
          const result = decodeUpdate(message.subarray(19), agreed);
          return "update" in result ? result.update.withdrawn : [];
        });
        expect(withdrawn).toEqual(prefixes);
      }),
    );
  });

  it("that are changed or cut give an update or an error, never both announced and withdrawn by a fault", () => {
    const path = {
      ...LOCAL_ATTRIBUTES,
      asPath: [{ type: 2, systems: [1, 2] }],
      communities: [1],
      localPreference: 1,
    };
    fc.assert(
      fc.property(
        fc.oneof(attributes, fc.constant(path)),
        routes,
        form,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
        fc.nat(),
        (given, { nextHop, prefixes }, agreed, changes, cut) => {
          const body = encodeAnnouncements(given, nextHop, prefixes, agreed)![0]!.slice(19);
          for (const [at, byte] of changes) body[at % body.length] = byte;
          for (const bytes of [body, body.subarray(0, cut % body.length)]) {
            const result = decodeUpdate(bytes, { ...agreed, session: "external" });
            if ("error" in result) expect(result.error.code).toBe(3);
            else {
              const isWithdrawn = result.faults.some(({ action }) => action === "treat-as-withdraw");
              expect(isWithdrawn && result.update.announced.length > 0).toBe(false);
              expect(result.update.announced.length === 0).toBe(result.update.attributes === null);
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("of any bytes end", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), form, (bytes, agreed) => {
        decodeUpdate(bytes, agreed);
        decodeOpen(bytes);
        const framed = Uint8Array.of(0, 0, bytes.length >> 8, bytes.length, ...bytes);
        decodeUpdate(framed, agreed);
      }),
      { numRuns: 400 },
    );
  });
});

describe("OPEN messages", () => {
  it("are what they were, with any bytes as capabilities", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 60 }))),
        (all) => {
          const capabilities = all.flatMap(([code, value]) => [code, value.length, ...value]);
          const body = Uint8Array.of(
            ...[4, 0, 1, 0, 180, 1, 1, 1, 1, 255, 255],
            ...[(capabilities.length + 3) >> 8, (capabilities.length + 3) & 255],
            ...[2, capabilities.length >> 8, capabilities.length & 255, ...capabilities],
          );
          const first = decodeOpen(body);
          if ("error" in first) throw new Error(first.text);
          expect(first.open.capabilities).toHaveLength(all.length);
          expect(decodeOpen(encodeOpen(first.open).subarray(19))).toEqual(first);
        },
      ),
    );
  });
});

describe("streams", () => {
  it("give the same messages for every cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 4, maxLength: 200 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        (bodies, sizes) => {
          const bytes = Uint8Array.from(bodies.flatMap((body) => [...encodeMessage(2, body)]));
          const stream = makeBgpStream();
          const taken: Uint8Array[] = [];
          for (let at = 0, index = 0; at < bytes.length; index++) {
            const size = sizes[index % sizes.length]!;
            const { messages, error } = takeMessages(stream, bytes.subarray(at, at + size));
            expect(error).toBeUndefined();
            taken.push(...messages.map(({ body }) => body));
            at += size;
          }
          expect(taken).toEqual(bodies);
        },
      ),
    );
  });
});
