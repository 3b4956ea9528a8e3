import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AddressFamily, IPV4, IPV6 } from "../../../../../packages/engine/net/fib/address-family.ts";
import { PrefixTrie } from "../../../../../packages/engine/net/fib/prefix-trie.ts";
import { LinearTable } from "./linear-table.ts";

const ip = (text: string): number => parseIpv4(text)!;
const ip6 = (text: string): bigint => parseIpv6(text)!;

interface Step {
  readonly action: "set" | "delete" | "find";
  readonly address: bigint;
  readonly length: number;
}

/** Addresses that share prefixes of all lengths: few values for each word, and single bits changed. */
function addresses(bits: number): fc.Arbitrary<bigint> {
  const words = fc.array(
    fc.constantFrom<bigint[]>(0n, 1n, 0x0a00_0000n, 0x8000_0000n, 0xffff_fffen, 0xffff_ffffn),
    {
      minLength: bits / 32,
      maxLength: bits / 32,
    },
  );
  const flip = fc.option(fc.integer({ min: 0, max: bits - 1 }), { nil: undefined });
  return fc
    .tuple(words, flip)
    .map(
      ([all, bit]) =>
        all.reduce((address, word) => (address << 32n) | word, 0n) ^
        (bit === undefined ? 0n : 1n << BigInt(bit)),
    );
}

function steps(bits: number): fc.Arbitrary<Step[]> {
  const lengths = fc.oneof(
    fc.constantFrom(0, 1, bits / 2, bits - 2, bits - 1, bits),
    fc.integer({ min: 0, max: bits }),
  );
  const step = fc.record({
    action: fc.constantFrom("set", "set", "delete", "find"),
    address: addresses(bits),
    length: lengths,
  });
  return fc.array(step as fc.Arbitrary<Step>, { maxLength: 120 });
}

function networkOf({ address, length }: Step, bits: number): bigint {
  const hostBits = BigInt(bits - length);
  return (address >> hostBits) << hostBits;
}

/** Plays the steps on a trie and on the simple table. Each set has a value of its own. */
function play<A>(
  family: AddressFamily<A>,
  toAddress: (value: bigint) => A,
  all: readonly Step[],
  largeFrom?: number,
): void {
  const { bits } = family;
  const trie = new PrefixTrie<A, number>(family, largeFrom);
  const linear = new LinearTable<number>(bits);
  for (const [value, step] of all.entries()) {
    const { action, address, length } = step;
    const network = networkOf(step, bits);
    if (action === "set") {
      trie.set(toAddress(network), length, value);
      linear.set({ network, length }, value);
    } else if (action === "delete")
      expect(trie.delete(toAddress(network), length)).toBe(linear.delete({ network, length }));
    expect(trie.longest(toAddress(address))).toBe(linear.longest(address));
    expect(trie.get(toAddress(network), length)).toBe(linear.get({ network, length }));
  }
  expect(trie.values()).toEqual(linear.values());
  expect(trie.size).toBe(linear.values().length);
  for (const { address } of all) expect(trie.longest(toAddress(address))).toBe(linear.longest(address));
}

describe("the trie of prefixes", () => {
  it("finds what a linear search finds, for IPv4", () => {
    fc.assert(fc.property(steps(32), (all) => play(IPV4, Number, all)));
  });

  it("finds what a linear search finds, for IPv6", () => {
    fc.assert(fc.property(steps(128), (all) => play(IPV6, (address) => address, all)));
  });

  it.each([1, 3, 8])(
    "finds what a linear search finds while it is large from %i prefixes on",
    (largeFrom) => {
      fc.assert(
        fc.property(steps(32), steps(128), (all4, all6) => {
          play(IPV4, Number, all4, largeFrom);
          play(IPV6, (address) => address, all6, largeFrom);
        }),
      );
    },
  );

  it("finds nothing while it is empty, and the default route for every address", () => {
    const trie = new PrefixTrie<number, string>(IPV4);
    expect(trie.longest(ip("192.0.2.1"))).toBeUndefined();
    trie.set(0, 0, "default");
    expect(["0.0.0.0", "192.0.2.1", "255.255.255.255"].map((text) => trie.longest(ip(text)))).toEqual([
      "default",
      "default",
      "default",
    ]);
    trie.delete(0, 0);
    expect(trie.longest(0)).toBeUndefined();
  });

  it("prefers the longest of nested prefixes, up to the host route", () => {
    const trie = new PrefixTrie<number, string>(IPV4);
    for (const [network, length] of [
      ["10.0.0.1", 32],
      ["10.0.0.0", 31],
      ["10.0.0.0", 8],
      ["10.0.0.0", 30],
    ] as const)
      trie.set(ip(network), length, `${network}/${length}`);
    expect(
      ["10.0.0.1", "10.0.0.0", "10.0.0.2", "10.1.0.0", "11.0.0.0"].map((to) => trie.longest(ip(to))),
    ).toEqual(["10.0.0.1/32", "10.0.0.0/31", "10.0.0.0/30", "10.0.0.0/8", undefined]);
    trie.delete(ip("10.0.0.1"), 32);
    expect(trie.longest(ip("10.0.0.1"))).toBe("10.0.0.0/31");
  });

  it("holds prefixes of IPv6 that differ in the last bits, and at the boundaries of words", () => {
    const trie = new PrefixTrie<bigint, string>(IPV6);
    for (const [network, length] of [
      ["2001:db8::", 32],
      ["2001:db8::", 64],
      ["2001:db8::", 96],
      ["2001:db8::2", 127],
      ["2001:db8::3", 128],
    ] as const)
      trie.set(ip6(network), length, `/${length}`);
    const found = ["::3", "::2", "::1", "::1:0:0", ":0:1::"].map((end) =>
      trie.longest(ip6(`2001:db8${end}`)),
    );
    expect(found).toEqual(["/128", "/127", "/96", "/64", "/32"]);
  });

  it("replaces the value of a prefix, and does not count it twice", () => {
    const trie = new PrefixTrie<number, string>(IPV4);
    trie.set(ip("10.0.0.0"), 8, "one");
    trie.set(ip("10.0.0.0"), 8, "two");
    expect([trie.get(ip("10.0.0.0"), 8), trie.size, trie.values()]).toEqual(["two", 1, ["two"]]);
  });
});
