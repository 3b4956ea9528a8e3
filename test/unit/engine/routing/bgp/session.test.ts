/** Sessions of BGP: how they begin, how they end, and what a neighbour hears of the reason. */
import { describe, expect, it } from "vitest";
import type { BgpConfig, NeighbourConfig } from "../../../../../packages/engine/routing/bgp/config.ts";
import {
  AFI,
  BGP,
  decodeNotification,
  encodeKeepalive,
  encodeMessage,
  encodeRouteRefresh,
} from "../../../../../packages/engine/wire/bgp.ts";
import { LOCAL_ATTRIBUTES, ORIGIN } from "../../../../../packages/engine/wire/bgp-attributes.ts";
import { encodeOpen } from "../../../../../packages/engine/wire/bgp-open.ts";
import { encodeAnnouncements } from "../../../../../packages/engine/wire/bgp-write-update.ts";
import {
  address,
  BgpNetwork,
  configOf,
  type Node,
  neighbour,
  prefix,
  SECOND_US,
  type Stranger,
} from "../../../../helpers/engine/bgp-network.ts";

const A = "10.0.0.1";
const B = "10.0.0.2";

interface Pair {
  readonly network: BgpNetwork;
  readonly a: Node;
  readonly b: Node;
}

function pair(
  ofA: Partial<NeighbourConfig> = {},
  ofB: Partial<NeighbourConfig> = {},
  more: Partial<BgpConfig> = {},
): Pair {
  const network = new BgpNetwork();
  const a = network.add(
    A,
    configOf(65_001, "1.1.1.1", {
      neighbours: [neighbour(B, 65_002, 65_001, ofA)],
      networks: [prefix("10.1.0.0/16")],
      ...more,
    }),
  );
  const b = network.add(
    B,
    configOf(65_002, "2.2.2.2", {
      neighbours: [neighbour(A, 65_001, 65_002, ofB)],
      networks: [prefix("10.2.0.0/16")],
    }),
  );
  return { network, a, b };
}

const typeOf = (message: Uint8Array): number => message[18]!;
const bodyOf = (message: Uint8Array): Uint8Array => message.subarray(19);

/** The codes of a notification, if a stranger has got one. */
const notificationTo = ({ received }: Stranger): number[] | undefined => {
  const found = received.find((message) => typeOf(message) === BGP.notification);
  const read = found && decodeNotification(bodyOf(found));
  return read ? [read.code, read.subcode] : undefined;
};

/** A node that waits for 10.0.0.9 of AS 65009. */
function listener(more: Partial<NeighbourConfig> = {}): { network: BgpNetwork; node: Node } {
  const network = new BgpNetwork();
  const config = configOf(65_001, "1.1.1.1", {
    neighbours: [neighbour("10.0.0.9", 65_009, 65_001, { isPassive: true, ...more })],
  });
  const node = network.add(A, config);
  network.run(2);
  return { network, node };
}

const open = (fields: Partial<Parameters<typeof encodeOpen>[0]> = {}): Uint8Array =>
  encodeOpen({ version: 4, system: 65_009, holdSeconds: 90, identifier: 9, capabilities: [], ...fields });

/** The stranger is established. */
function established(more: Partial<NeighbourConfig> = {}) {
  const { network, node } = listener(more);
  const stranger = network.stranger("10.0.0.9", node);
  stranger.send(open());
  network.run(0.1);
  stranger.send(encodeKeepalive());
  network.run(0.1);
  expect(network.state(node, "10.0.0.9")).toBe("Established");
  return { network, node, stranger };
}

const FORM = { hasAs4: false, session: "external", addPath: [] } as const;

function announcement(count: number, asPath = [65_009], first = 0): Uint8Array[] {
  const prefixes = Array.from({ length: count }, (_, index) => ({
    family: "ipv4" as const,
    address: address("20.0.0.0") + (first + index) * 256,
    length: 24,
  }));
  const attributes = { ...LOCAL_ATTRIBUTES, origin: ORIGIN.igp, asPath: [{ type: 2, systems: asPath }] };
  return encodeAnnouncements(attributes, { family: "ipv4", address: address("10.0.0.9") }, prefixes, FORM)!;
}

describe("a session", () => {
  it("is established when both ends connect at once: one connection stays", () => {
    const { network, a, b } = pair();
    network.run(3);
    expect([network.state(a, B), network.state(b, A)]).toEqual(["Established", "Established"]);
    for (const node of [a, b]) {
      const [own] = [...node.process.state.neighbours.values()];
      expect(own!.links).toHaveLength(1);
    }
    // RFC 4271, section 6.8: the connection of the end with the higher id.
    const [own] = [...b.process.state.neighbours.values()];
    expect(own!.links[0]!.isOutgoing).toBe(true);
  });

  it("is established when one end waits only", () => {
    const { network, a } = pair({ isPassive: true });
    network.run(3);
    expect(network.state(a, B)).toBe("Established");
  });

  it("takes the shorter hold time, and ends when it is over", () => {
    const { network, a, b } = pair({ holdSeconds: 30, keepaliveSeconds: 10 });
    network.run(3);
    network.run(100);
    expect(network.state(b, A)).toBe("Established");
    network.isCut = true;
    network.run(19);
    expect(network.state(b, A)).toBe("Established");
    network.run(12);
    expect(a.changes.at(-1)).not.toMatchObject({ to: "Established" });
    expect(b.changes.some(({ why }) => why === "Hold Timer Expired")).toBe(true);
    expect(b.installed.size).toBe(0);
  });

  it("is tried again after connect seconds, as long as it takes", () => {
    const network = new BgpNetwork();
    const config = configOf(65_001, "1.1.1.1", {
      neighbours: [neighbour(B, 65_002, 65_001, { connectSeconds: 7 })],
    });
    const a = network.add(A, config);
    network.run(60);
    expect(network.state(a, B)).toBe("Connect");
    network.add(
      B,
      configOf(65_002, "2.2.2.2", { neighbours: [neighbour(A, 65_001, 65_002, { isPassive: true })] }),
    );
    network.run(8);
    expect(network.state(a, B)).toBe("Established");
  });

  it("ends with a shutdown at either end, and begins after it", () => {
    const { network, a, b } = pair();
    network.run(3);
    const config = a.process.state.config;
    const shut = { ...config, neighbours: config.neighbours.map((each) => ({ ...each, isShutDown: true })) };
    network.at(a, (process) => process.configure(shut));
    network.run(1);
    expect(network.state(a, B)).toBe("Idle");
    expect(b.process.state.neighbours.get(address(A))!.lastReset).toBe(
      "Notification received (Cease/Administrative Shutdown)",
    );
    expect(b.installed.size).toBe(0);
    network.run(300);
    expect(network.state(a, B)).toBe("Idle");
    network.at(a, (process) => process.configure(config));
    network.run(5);
    expect(network.state(a, B)).toBe("Established");
  });
});

describe("a neighbour hears why it is refused", () => {
  it.each([
    ["another AS", open({ system: 65_010 }), [2, 2]],
    ["another version", open({ version: 3 }), [2, 1]],
    ["no id", open({ identifier: 0 }), [2, 3]],
    ["a hold time of two seconds", open({ holdSeconds: 2 }), [2, 6]],
    ["no IPv4", open({ capabilities: [{ kind: "multiprotocol", afi: AFI.ipv6, safi: 1 }] }), [2, 7]],
    ["a message before OPEN", encodeKeepalive(), [5, 1]],
    ["a header without its marker", new Uint8Array(19), [1, 1]],
    ["an unknown type", encodeMessage(9), [1, 3]],
  ])("%s", (_, bytes, codes) => {
    const { network, node } = listener();
    const stranger = network.stranger("10.0.0.9", node);
    expect(stranger.isTaken).toBe(true);
    stranger.send(bytes);
    network.run(0.1);
    expect(notificationTo(stranger)).toEqual(codes);
    expect(stranger.isClosed).toBe(true);
    expect(network.state(node, "10.0.0.9")).toBe("Idle");
  });

  it("an update that cannot be read", () => {
    const { network, node, stranger } = established();
    stranger.send(encodeMessage(BGP.update, Uint8Array.of(0, 9, 0, 0)));
    network.run(0.1);
    expect(notificationTo(stranger)).toEqual([3, 1]);
    expect(network.state(node, "10.0.0.9")).toBe("Idle");
  });

  it("a second OPEN", () => {
    const { network, stranger } = established();
    stranger.send(open());
    network.run(0.1);
    expect(notificationTo(stranger)).toEqual([5, 3]);
  });

  it("nothing, if it is no neighbour, or shut down", () => {
    const { network, node } = listener({ isShutDown: true });
    expect(network.stranger("10.0.0.8", node).isTaken).toBe(false);
    expect(network.stranger("10.0.0.9", node).isTaken).toBe(false);
  });
});

describe("errors", () => {
  it("make attempts rarer: 2, 4, 8 seconds, up to a minute", () => {
    const network = new BgpNetwork();
    const a = network.add(A, configOf(65_001, "1.1.1.1", { neighbours: [neighbour(B, 65_003, 65_001)] }));
    network.add(
      B,
      configOf(65_002, "2.2.2.2", { neighbours: [neighbour(A, 65_001, 65_002, { isPassive: true })] }),
    );
    network.run(600);
    const opens = a.sent
      .filter(({ message }) => typeOf(message) === BGP.open)
      .map(({ atUs }) => Math.floor(atUs / SECOND_US));
    const gaps = opens.slice(1).map((at, index) => at - opens[index]!);
    expect(gaps.slice(0, 6)).toEqual([2, 4, 8, 16, 32, 60]);
  });
});

describe("too many prefixes", () => {
  it("end a session until it is cleared", () => {
    const { network, node, stranger } = established({
      maximumPrefixes: { most: 3, warnsOnly: false, percent: 75 },
    });
    for (const message of announcement(3)) stranger.send(message);
    network.run(0.1);
    expect(node.warnings).toEqual(["10.0.0.9 announces 3 prefixes, and the limit is 3"]);
    expect(node.installed.size).toBe(3);
    for (const message of announcement(1, [65_009], 3)) stranger.send(message);
    network.run(0.1);
    expect(notificationTo(stranger)).toEqual([6, 1]);
    expect(node.installed.size).toBe(0);
    expect(network.stranger("10.0.0.9", node).isTaken).toBe(false);
    network.at(node, (process) => process.clear([...process.state.neighbours.values()]));
    network.run(2);
    expect(network.stranger("10.0.0.9", node).isTaken).toBe(true);
  });

  it("cause a warning alone, if the configuration says so", () => {
    const { network, node, stranger } = established({
      maximumPrefixes: { most: 3, warnsOnly: true, percent: 100 },
    });
    for (const message of announcement(5)) stranger.send(message);
    network.run(0.1);
    expect(node.warnings).toHaveLength(1);
    expect(node.installed.size).toBe(5);
  });

  it("of all neighbours are not taken beyond 20,000", () => {
    const { network, node, stranger } = established();
    for (const message of announcement(20_005)) stranger.send(message);
    network.run(0.1);
    expect(node.installed.size).toBe(20_000);
    expect(node.warnings).toEqual(["the table has 20000 prefixes, the limit: further ones are not taken"]);
  });
});

describe("routes", () => {
  it("with the own AS in their path are not taken, unless allowas-in allows it", () => {
    const { network, node, stranger } = established();
    for (const message of announcement(1, [65_009, 65_001])) stranger.send(message);
    network.run(0.1);
    expect(node.installed.size).toBe(0);
    const other = established({ allowedOwnAs: 1 });
    for (const message of announcement(1, [65_009, 65_001])) other.stranger.send(message);
    other.network.run(0.1);
    expect(other.node.installed.size).toBe(1);
  });

  it("take the place of those that have a loop now", () => {
    const { network, node, stranger } = established();
    for (const message of [...announcement(1), ...announcement(1, [65_009, 65_001])]) stranger.send(message);
    network.run(0.1);
    expect(node.installed.size).toBe(0);
  });

  it("are sent again when a neighbour asks (RFC 2918)", () => {
    const { network, a, b } = pair();
    network.run(3);
    const updates = (): number => a.sent.filter(({ message }) => typeOf(message) === BGP.update).length;
    const before = updates();
    const link = [...b.process.state.neighbours.values()][0]!.links[0]!;
    b.process.state.host.send(link.connection, encodeRouteRefresh({ afi: AFI.ipv4, safi: 1, subtype: 0 }));
    network.run(1);
    expect(updates()).toBe(before + 1);
  });

  it("of several messages are one update within the advertisement interval", () => {
    const { network, a } = pair({ advertisementSeconds: 10 });
    network.run(3);
    const before = a.sent.length;
    const config = a.process.state.config;
    for (const more of ["10.3.0.0/16", "10.4.0.0/16", "10.5.0.0/16"]) {
      network.at(a, (process) =>
        process.configure({ ...config, networks: [...process.state.config.networks, prefix(more)] }),
      );
      network.run(1);
    }
    expect(a.sent.slice(before).filter(({ message }) => typeOf(message) === BGP.update)).toHaveLength(0);
    network.run(10);
    expect(a.sent.slice(before).filter(({ message }) => typeOf(message) === BGP.update)).toHaveLength(1);
  });
});
