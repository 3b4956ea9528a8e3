/** Authentication of RIP: RFC 2453, section 4.1; RFC 2082; RFC 4822. */
import { createHash, createHmac } from "node:crypto";
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { ipv4MulticastMac } from "@wirelab/engine/wire/mac";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import type { RouterState } from "../../../../../../packages/engine/devices/router/shell/state.ts";
import { encodeRip, RIP_GROUP, type RipEntry } from "../../../../../../packages/engine/wire/rip.ts";
import {
  addDigest,
  addPassword,
  checkDigest,
  RIP_DIGESTS,
  type RipDigest,
} from "../../../../../../packages/engine/wire/rip-authentication.ts";
import { toHex } from "../../../wire/hex.ts";
import { type Bed, ip, makeBed, say } from "../probe.ts";
import { makeChain, RIP, routesOf } from "./chain.ts";

const PORTS = [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const rip = (mode: string, keys: object[]): object => ({
  networks: ["10.0.0.0/8"],
  authentication: { Ethernet0: { mode, keys } },
});
const makeRipBed = (settings: object, state?: RouterState): Bed =>
  makeBed({ ports: PORTS, rip: settings }, state);

const ROUTE: RipEntry = {
  family: 2,
  tag: 0,
  network: ip("10.7.0.0"),
  mask: ip("255.255.0.0"),
  nextHop: 0,
  metric: 1,
};
const UPDATE = encodeRip({ command: 2, version: 2, entries: [ROUTE] });

function send(bed: Bed, message: Uint8Array): void {
  const source = ip("10.0.1.10");
  const udp = encodeUdp4(source, RIP_GROUP, { sourcePort: 520, targetPort: 520, data: message });
  bed.a.send4(ipv4MulticastMac(RIP_GROUP), { source, target: RIP_GROUP, protocol: 17 }, udp);
  bed.bench.run();
}

/** The messages that the router sent to A. */
const sent = (bed: Bed): Uint8Array[] =>
  bed.a.packets4
    .map(({ payload }) => decodeUdp(payload))
    .flatMap((udp) => (udp?.targetPort === 520 ? [Uint8Array.from(udp.data)] : []));

const learned = (bed: Bed): boolean => say(bed, "show route").some((line) => line.startsWith("R"));
const badPackets = (bed: Bed): string | undefined =>
  say(bed, "show ip rip status")
    .find((line) => /10\.0\.1\.10 /.test(line))
    ?.split(/ +/)[2];

describe("the digest of a message", () => {
  const key = { id: 7, key: bytes("secret") };
  const signed = (digest: RipDigest, message: Uint8Array): Uint8Array =>
    message.subarray(0, message.length - addedBytes(digest) + 24);
  const addedBytes = (digest: RipDigest): number => addDigest(UPDATE, digest, key, 5).length - UPDATE.length;

  it("is behind the message, which begins with an entry about it", () => {
    const message = addDigest(UPDATE, "md5", key, 0x0102_0304);
    expect(toHex(message.subarray(0, 24))).toBe(`02020000ffff0003002c071001020304${"00".repeat(8)}`);
    expect(toHex(message.subarray(44, 48))).toBe("ffff0001");
    expect(message).toHaveLength(64);
  });

  it("is MD5 of the message and the key, filled with zeros", () => {
    const message = addDigest(UPDATE, "md5", key, 5);
    const whole = [signed("md5", message), bytes("secret"), new Uint8Array(10)];
    const digest = createHash("md5").update(Buffer.concat(whole)).digest("hex");
    expect(toHex(message.subarray(48))).toBe(digest);
  });

  it.each([
    ["hmac-sha-1", "sha1", 20],
    ["hmac-sha-256", "sha256", 32],
    ["hmac-sha-384", "sha384", 48],
    ["hmac-sha-512", "sha512", 64],
  ] as const)("is %s of the message and Apad", (digest, node, size) => {
    const message = addDigest(UPDATE, digest, key, 5);
    const apad = Buffer.alloc(size, Buffer.from("878fe1f3", "hex"));
    const wanted = createHmac(node, "secret").update(message.subarray(0, 48)).update(apad).digest("hex");
    expect(toHex(message.subarray(48))).toBe(wanted);
    expect(message[11]).toBe(size);
    // RFC 4822, section 3: a key that is longer than the digest is hashed first, even one shorter than a block.
    const long = "k".repeat(64);
    const other = addDigest(UPDATE, digest, { id: 7, key: bytes(long) }, 5);
    const short = size === 64 ? Buffer.from(long) : createHash(node).update(long).digest();
    expect(toHex(other.subarray(48))).toBe(
      createHmac(node, short).update(other.subarray(0, 48)).update(apad).digest("hex"),
    );
  });

  it("is accepted with the length that counts the header of the trailer, as FRR and IOS send it", () => {
    const message = addDigest(UPDATE, "md5", key, 5);
    message[11] = 20;
    const digest = createHash("md5")
      .update(message.subarray(0, 48))
      .update(Buffer.concat([bytes("secret")], 16))
      .digest();
    message.set(digest, 48);
    expect(checkDigest(message, "md5", [key])?.message).toEqual(UPDATE);
  });

  it("of SHA is not accepted with that length: no router sends it so", () => {
    const message = addDigest(UPDATE, "hmac-sha-1", key, 5);
    message[11] = 24;
    const apad = Buffer.alloc(20, Buffer.from("878fe1f3", "hex"));
    message.set(createHmac("sha1", "secret").update(message.subarray(0, 48)).update(apad).digest(), 48);
    expect(checkDigest(message, "hmac-sha-1", [key])).toBeUndefined();
  });

  it.each(RIP_DIGESTS)(
    "%s is checked: a changed byte anywhere, or a missing one, is not authentic",
    (digest) => {
      const message = addDigest(UPDATE, digest, key, 5);
      expect(checkDigest(message, digest, [key])).toEqual({ message: UPDATE, keyId: 7, sequence: 5 });
      for (let at = 0; at < message.length; at++) {
        const changed = message.with(at, message[at]! ^ 1);
        expect([at, checkDigest(changed, digest, [key])]).toEqual([at, undefined]);
        expect(checkDigest(message.subarray(0, at), digest, [key])).toBeUndefined();
      }
      expect(checkDigest(message, digest, [{ id: 8, key: key.key }])).toBeUndefined();
      expect(checkDigest(message, digest, [{ id: 7, key: bytes("other") }])).toBeUndefined();
    },
  );
});

describe("routers with authentication", () => {
  const between = (mode: string, first: object[], second = first) =>
    makeChain(2, (index) => ({
      ...RIP,
      authentication: {
        [`Ethernet${index === 0 ? 1 : 0}`]: { mode, keys: index === 0 ? first : second },
      },
    }));
  const isLearned = ({ bench }: ReturnType<typeof makeChain>): boolean => {
    bench.run();
    return routesOf(bench, "R1").some((route) => route.startsWith("R "));
  };

  it.each(["text", ...RIP_DIGESTS])("learn from each other by %s with the same key", (mode) => {
    const key = mode === "text" ? { key: "wire" } : { id: 3, key: "wire" };
    expect(isLearned(between(mode, [key]))).toBe(true);
    expect(isLearned(between(mode, [key], [{ ...key, key: "wirE" }]))).toBe(false);
  });

  it("change keys one after the other: each accepts all of its keys and sends the first", () => {
    const [old, next] = [
      { id: 1, key: "old" },
      { id: 2, key: "new" },
    ];
    expect(isLearned(between("md5", [old, next], [next, old]))).toBe(true);
    expect(isLearned(between("md5", [next], [old, next]))).toBe(false);
  });

  it("do not learn from one without it, nor it from them", () => {
    const { bench } = makeChain(2, (index) =>
      index === 0 ? { ...RIP, authentication: { Ethernet1: { mode: "text", keys: [{ key: "x" }] } } } : RIP,
    );
    bench.run();
    for (const name of ["R1", "R2"])
      expect(routesOf(bench, name).some((route) => route.startsWith("R "))).toBe(false);
  });
});

describe("a router with authentication", () => {
  const MD5 = rip("md5", [
    { id: 7, key: "secret" },
    { id: 8, key: "next" },
  ]);
  const update = (sequence: number, id = 7, key = "secret"): Uint8Array =>
    addDigest(UPDATE, "md5", { id, key: bytes(key) }, sequence);

  it("counts messages that are not authentic as bad packets", () => {
    const bed = makeRipBed(rip("text", [{ key: "wire" }]));
    send(bed, UPDATE);
    send(bed, addPassword(UPDATE, bytes("wir")));
    send(bed, UPDATE.subarray(0, 10));
    expect([learned(bed), badPackets(bed)]).toEqual([false, "3"]);
    send(bed, addPassword(UPDATE, bytes("wire")));
    expect([learned(bed), badPackets(bed)]).toEqual([true, "3"]);
  });

  it("refuses a message that is older than the last of its sender and key", () => {
    const bed = makeRipBed(MD5);
    send(bed, update(100));
    send(bed, update(100));
    expect(badPackets(bed)).toBe("0");
    send(bed, update(99));
    expect(badPackets(bed)).toBe("1");
    send(bed, update(1, 8, "next"));
    expect(badPackets(bed)).toBe("1");
  });

  it("keeps the numbers between runs", () => {
    const bed = makeRipBed(MD5);
    send(bed, update(100));
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    expect(state.services?.rip?.authentication).toEqual({
      sent: expect.any(Number),
      heard: [[ip("10.0.1.10"), 7, 100, expect.any(Number)]],
    });
    const next = makeBed({ ports: PORTS, rip: MD5 }, state);
    send(next, update(99));
    expect(badPackets(next)).toBe("1");
  });

  it("begins again with a sender that was silent for the timeout", () => {
    const bed = makeRipBed({ ...MD5, update_seconds: 5, timeout_seconds: 10, garbage_seconds: 5 });
    send(bed, update(100));
    bed.bench.run(11_000_000);
    send(bed, update(1));
    expect(badPackets(bed)).toBe("0");
  });

  it("begins again after the timeout with a sender that has restarted and is refused meanwhile", () => {
    const settings = { ...MD5, update_seconds: 5, timeout_seconds: 10, garbage_seconds: 5 };
    const bed = makeRipBed(settings);
    send(bed, update(100));
    bed.bench.run(6_000_000);
    send(bed, update(1));
    expect(badPackets(bed)).toBe("1");
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    for (const each of [bed, makeRipBed(settings, state)]) {
      // No time passes between two runs.
      each.bench.run(each === bed ? 11_000_000 : 5_000_000);
      send(each, update(2));
      expect([learned(each), badPackets(each)]).toEqual([true, "1"]);
    }
  });

  it("sends growing numbers, and the time in seconds if that is more", () => {
    const bed = makeRipBed(MD5);
    bed.bench.run(40_000_000);
    const numbers = sent(bed).map(
      (message) => checkDigest(message, "md5", [{ id: 7, key: bytes("secret") }])!.sequence,
    );
    expect(numbers.length).toBeGreaterThan(2);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers[0]).toBe(1_767_225_600);
  });

  it("sends at most 24 routes in a message", () => {
    const routes = Array.from({ length: 30 }, (_, index) => ({ to: `10.50.${index}.0/24`, via: "10.0.2.9" }));
    const settings = { ...rip("text", [{ key: "x" }]), redistribute: { static: {} } };
    const bed = makeBed({ ports: PORTS, routes, rip: settings });
    bed.bench.run();
    expect(sent(bed).map(({ length }) => (length - 4) / 20)).toContain(25);
    expect(Math.max(...sent(bed).map(({ length }) => (length - 4) / 20))).toBe(25);
  });

  it("has no such state, column or entry without it", () => {
    const bed = makeRipBed({ networks: ["10.0.0.0/8"] });
    send(bed, UPDATE);
    expect(bed.router.saveState().services?.rip).not.toHaveProperty("authentication");
    expect(say(bed, "show ip rip status").join("\n")).not.toContain("Keys");
  });
});

describe("the property rip.authentication", () => {
  const problems = (authentication: unknown): string[] => {
    const parsed = parseRouterProperties({ ports: PORTS, rip: { authentication } });
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };
  const of = (mode: unknown, keys: unknown): object => ({ Ethernet0: { mode, keys } });

  it.each<[unknown, string]>([
    [[], "rip.authentication: must be an object"],
    ["Ethernet0", "rip.authentication: must be an object"],
    [{ e9: { mode: "text", keys: [{ key: "x" }] } }, 'rip.authentication.e9: "e9" is not the name of a port'],
    [{ Ethernet0: "x" }, "rip.authentication.Ethernet0: must be an object"],
    [
      of("sha", [{ key: "x" }]),
      "rip.authentication.Ethernet0.mode: must be text, md5, hmac-sha-1, hmac-sha-256, hmac-sha-384, hmac-sha-512",
    ],
    [of("text", []), "rip.authentication.Ethernet0.keys: must have 1 to 16 items, not 0"],
    [of("md5", undefined), "rip.authentication.Ethernet0.keys: must be an array"],
    [of("md5", ["x"]), "rip.authentication.Ethernet0.keys.0: must be an object"],
    [of("md5", [{ id: 256, key: "x" }]), "rip.authentication.Ethernet0.keys.0.id: must be 0 to 255, not 256"],
    [of("md5", [{ key: 1 }]), "rip.authentication.Ethernet0.keys.0.key: must be a string"],
    [
      of("md5", [{ key: "x".repeat(17) }]),
      "rip.authentication.Ethernet0.keys.0.key: must have 1 to 16 characters of ASCII without spaces",
    ],
    [
      of("hmac-sha-1", [{ key: "a b" }]),
      "rip.authentication.Ethernet0.keys.0.key: must have 1 to 64 characters of ASCII without spaces",
    ],
    [
      of("text", [{ id: 1, key: "x" }]),
      "rip.authentication.Ethernet0.keys.0.id: is not a known property; known are key",
    ],
    [
      of("md5", [{ key: "x" }, { key: "y" }]),
      "rip.authentication.Ethernet0.keys.1.id: there is a key 1 already",
    ],
    [
      { ethernet0: { mode: "text", keys: [{ key: "x" }] }, ...of("md5", [{ key: "y" }]) },
      "rip.authentication.Ethernet0: Ethernet0 is there already",
    ],
  ])("is rejected as %j", (authentication, problem) => {
    expect(problems(authentication)).toEqual([problem]);
  });

  it("is formatted as it was given, by the name of the port", () => {
    const authentication = {
      Ethernet0: { mode: "md5", keys: [{ id: 0, key: "a" }] },
      Ethernet1: { mode: "text", keys: [{ key: "b" }] },
    };
    const parsed = parseRouterProperties({
      ports: PORTS,
      rip: { authentication: { ethernet0: authentication.Ethernet0, Ethernet1: authentication.Ethernet1 } },
    });
    expect(parsed.ok && formatRouterProperties(parsed.config).rip?.authentication).toEqual(authentication);
  });

  it("is in the order of the names, whatever the order in which storage returns them", () => {
    const [one, other] = [of("text", [{ key: "a" }]), { Ethernet1: { mode: "text", keys: [{ key: "b" }] } }];
    const lines = [
      { ...one, ...other },
      { ...other, ...one },
    ].map((authentication) =>
      say(makeRipBed({ authentication }), "show run").filter((line) => line.includes("authentication")),
    );
    expect(lines[0]).toHaveLength(2);
    expect(lines[1]).toEqual(lines[0]);
  });

  it("is set at the console, and shown by it without the keys", () => {
    const bed = makeRipBed({ networks: ["10.0.0.0/8"] });
    expect(say(bed, "router rip authentication ethernet0 MD5 7 secret 8 next")).toEqual([]);
    expect(say(bed, "router rip authentication Ethernet1 text wire")).toEqual([]);
    const lines = [" authentication Ethernet0 md5 7 secret 8 next", " authentication Ethernet1 text wire"];
    expect(say(bed, "show run").filter((line) => line.includes("authentication"))).toEqual(lines);
    expect(say(bed, "show ip rip status").slice(6, 9)).toEqual([
      "    Port       Send  Recv  Keys",
      "    Ethernet0  2     2     md5 7,8",
      "    Ethernet1  2     2     text",
    ]);
    expect(say(bed, "no router rip authentication Ethernet1")).toEqual([]);
    expect(say(bed, "no router rip authentication Ethernet1")).toEqual([
      "There is no such line: router rip authentication Ethernet1",
    ]);
    expect(say(bed, "show run").filter((line) => line.includes("authentication"))).toEqual(lines.slice(0, 1));
  });

  it.each(["", "Ethernet0", "Ethernet0 text", "Ethernet0 md5 7", "Ethernet0 md5 x key"])(
    "is not set by `router rip authentication %s`",
    (words) => {
      const bed = makeRipBed({});
      expect(say(bed, `router rip authentication ${words}`.trimEnd())[0]).toMatch(/^Usage: router rip/);
    },
  );
});
