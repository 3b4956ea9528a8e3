/** Where the ends of a link between two computes send: the computes are stand-ins, one of them on the loopback interface. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Call, Peer } from "../../../../functions/shared/compute/peer.ts";
import { connectThere, type Ends } from "../../../../functions/shared/compute/tunnel.ts";

const mocks = vi.hoisted(() => ({ callCompute: vi.fn() }));
vi.mock("../../../../functions/shared/compute/call.ts", () => mocks);

interface Address {
  readonly ip_address: string;
  readonly netmask: string;
  readonly special?: boolean;
}
const LO: Address = { ip_address: "127.0.0.1", netmask: "255.0.0.0", special: true };
const DOWN: Address = { ip_address: "", netmask: "" };
const at = (ip_address: string, netmask = "255.255.255.0"): Address => ({ ip_address, netmask });

/** The interfaces of each compute, by its host. */
let interfaces: Record<string, readonly Address[]>;
/** `host METHOD path`, and the NIOs by host. */
let calls: string[];
let nios: Record<string, { lport: number; rhost: string; rport: number }>;
let nextPort: number;

beforeEach(() => {
  calls = [];
  nios = {};
  nextPort = 10_000;
  mocks.callCompute.mockReset().mockImplementation(async ({ host }: Peer, { method, path, body }: Call) => {
    calls.push(`${host} ${method} ${path.replace(/^\/projects\/p/, "")}`);
    if (path === "/network/interfaces") return interfaces[host];
    if (path.endsWith("/ports/udp")) return { udp_port: nextPort++ };
    if (path.endsWith("/nio")) nios[host] = body as (typeof nios)[string];
    return {};
  });
});

const side = (node_id: string) => ({ node_id, adapter_number: 0, port_number: 0 });
function endsAt(...hosts: readonly [string, string]): Ends {
  const ends = hosts.map((host, index) => ({
    node: { project_id: "p", node_id: `n${index}`, document: { node_type: "vpcs", compute_id: `c${index}` } },
    side: side(`n${index}`),
    peer: { name: `compute ${index}`, protocol: "http", host, port: 3080 },
  }));
  return ends as unknown as Ends;
}
const LINK = { nodes: [side("n0"), side("n1")], filters: {}, link_style: {}, suspend: false } as never;
const connect = (...hosts: readonly [string, string]) => connectThere(endsAt(...hosts), LINK, async () => {});

describe("a link between a compute on the loopback interface and a remote one", () => {
  test("uses the addresses that both have in one subnet", async () => {
    interfaces = {
      "127.0.0.1": [LO, DOWN, at("172.17.0.1", "255.255.0.0"), at("192.0.2.10")],
      "198.51.100.7": [LO, at("198.51.100.7"), at("192.0.2.20")],
    };
    const tunnel = await connect("127.0.0.1", "198.51.100.7");
    expect(tunnel).toEqual([
      { lport: 10_000, rhost: "192.0.2.20", rport: 10_001 },
      { lport: 10_001, rhost: "192.0.2.10", rport: 10_000 },
    ]);
    expect(nios["127.0.0.1"]).toMatchObject(tunnel[0]!);
    expect(nios["198.51.100.7"]).toMatchObject(tunnel[1]!);
  });

  test("finds a subnet by the mask of either end, in either order, above the half of the address space", async () => {
    interfaces = {
      "203.0.113.9": [at("203.0.113.9", "255.255.255.128")],
      localhost: [at("203.0.113.100", "255.255.255.128")],
    };
    const [a, b] = await connect("203.0.113.9", "localhost");
    expect([a!.rhost, b!.rhost]).toEqual(["203.0.113.100", "203.0.113.9"]);
  });

  test("is refused, and takes no port, when they have no subnet in common", async () => {
    interfaces = {
      "127.0.0.1": [LO, at("10.0.0.1")],
      "198.51.100.7": [LO, at("10.0.1.1")],
    };
    await expect(connect("127.0.0.1", "198.51.100.7")).rejects.toMatchObject({
      code: "compute.no-common-subnet",
      message: expect.stringMatching(/compute 0.*compute 1/),
    });
    expect(calls).toEqual(["127.0.0.1 GET /network/interfaces", "198.51.100.7 GET /network/interfaces"]);
  });
});

describe("a link between two computes", () => {
  test.each([
    ["both remote", "198.51.100.7", "198.51.100.8"],
    ["both on the loopback interface", "127.0.0.1", "[::1]"],
  ] as const)("that are %s uses their hosts, without a look at their interfaces", async (_title, a, b) => {
    const tunnel = await connect(a, b);
    expect(tunnel.map(({ rhost }) => rhost)).toEqual([b, a]);
    expect(calls.filter((call) => call.includes("interfaces"))).toEqual([]);
  });
});
