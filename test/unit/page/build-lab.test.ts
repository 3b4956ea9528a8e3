/** What the page sends to the service for a lab file is what `wirelab test` plays. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

interface Sent {
  readonly node_type: string;
  readonly name: string;
  readonly symbol: string;
  readonly properties: Readonly<Record<string, unknown>>;
}
const nodes: Sent[] = [];
const files = new Map<string, string>();

beforeEach(() => {
  nodes.length = 0;
  files.clear();
  const place = { href: "http://127.0.0.1/v2/page/", origin: "http://127.0.0.1", pathname: "/v2/page/" };
  const storage = { getItem: () => null, setItem() {}, removeItem() {} };
  vi.stubGlobal("location", { ...place, hash: "", search: "" });
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string | Blob } = {}) => {
    if (body instanceof Blob) {
      files.set(url, await body.text());
      return new Response("");
    }
    const given = body === undefined ? {} : JSON.parse(body);
    if (String(url).endsWith("/nodes")) nodes.push(given);
    const ports = Array.from({ length: 16 }, (_, port_number) => ({ adapter_number: 0, port_number }));
    const answer =
      body === undefined ? [] : { ...given, project_id: "p", node_id: given.name, link_id: "l", ports };
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => vi.unstubAllGlobals());

async function build(text: string): Promise<Sent[]> {
  const { buildLab } = await import("../../../page/src/labs/build-lab.ts" as string);
  await buildLab("a.lab.yaml", new TextEncoder().encode(text));
  return nodes;
}

test("a QinQ port keeps its EtherType", async () => {
  const [sw1] = await build(
    'nodes: {sw1: {type: switch, ports: [{name: p0, type: qinq, vlan: 100, ethertype: "0x88A8"}]}, a: 10.0.0.1/24}\nlinks: [a -- sw1:p0]',
  );
  expect(sw1).toMatchObject({
    node_type: "ethernet_switch",
    symbol: ":/symbols/ethernet_switch.svg",
    properties: {
      ports_mapping: [{ name: "p0", port_number: 0, type: "qinq", vlan: 100, ethertype: "0x88A8" }],
    },
  });
});

test("a Linux node has its image, addresses, files and commands", async () => {
  const [a] = await build(
    "nodes: {a: {type: linux, image: frr, ports: [10.0.0.1/24, null], files: {/etc/motd: hello}, commands: [date]}}",
  );
  expect(a).toMatchObject({
    node_type: "linux",
    properties: {
      image: "frr",
      ports: [["10.0.0.1/24"], []],
      files: { "/etc/motd": "hello" },
      commands: ["date"],
    },
  });
});

test("a cloud has the port to which its link leads", async () => {
  const [lan] = await build(
    'nodes: {lan: {type: cloud, udp: {listen: "127.0.0.1:20000", to: "127.0.0.1:20001"}}, a: pc}\nlinks: [a -- lan]',
  );
  expect(lan?.properties).toEqual({
    ports_mapping: [
      { name: "Ethernet0", port_number: 0, type: "udp", lport: 20_000, rhost: "127.0.0.1", rport: 20_001 },
    ],
  });
});

test.each([
  ["nodes: {a: {type: linux, exec: [{run: [date]}]}}", "a: a node of the service has no exec"],
  [
    'nodes: {a: {type: cloud, vxlan: {vni: 1, listen: "127.0.0.1", to: "127.0.0.2"}}}',
    "a: a node of the service has no vxlan",
  ],
])("%s is refused by name", async (text, message) => {
  await expect(build(text)).rejects.toThrow(message);
  expect(nodes).toEqual([]);
});

test("the service gets for each type the properties from which the lab was read", async () => {
  const text = `
nodes:
  pc: {ip: 10.0.0.1/24, gateway: 10.0.0.254, ignore_checksums: true}
  sw: {type: switch, vlans: {0: 10, 1: trunk}, rstp: true}
  hub: {type: hub, ports: 4}
  r: {type: router, ports: [10.0.0.254/24], routes: {10.9.0.0/16: [10.0.0.2, 10.0.0.3]}}
  s: {type: server, ip: [10.0.0.9/24, "2001:db8::9/64"], gateway: 10.0.0.254, http: {/: hello}}
  way: {type: nat, internet: [{name: www.example.com}]}
`;
  const sent = await build(text);
  const model = parseLabFile(text, { name: "a" });
  expect(sent.map(({ name, node_type, properties }) => [name, node_type, properties])).toEqual(
    model.nodes.map(({ name, spec, properties }) => [name, spec.type, properties]),
  );
  expect(sent.map(({ properties }) => properties)).toMatchObject([
    { startup_script: "ip 10.0.0.1/24 10.0.0.254", ignore_checksums: true },
    { ports_mapping: [{ vlan: 10 }, { type: "dot1q" }, {}, {}, {}, {}, {}, {}], rstp: true },
    { ports_mapping: [{ name: "Ethernet0", port_number: 0 }, {}, {}, {}] },
    {
      ports: [{ ipv4: "10.0.0.254/24" }],
      routes: [
        { to: "10.9.0.0/16", via: "10.0.0.2" },
        { to: "10.9.0.0/16", via: "10.0.0.3" },
      ],
    },
    { ipv4: "10.0.0.9/24", ipv6: "2001:db8::9/64", gateway: "10.0.0.254", http: { files: { "/": "hello" } } },
    { internet: [{ name: "www.example.com" }] },
  ]);
});

test("what a lab file does and expects becomes the tests of the lab, with the names that its links have there", async () => {
  await build(`name: two ways
nodes: {a: 10.0.0.1/24, b: {type: hub}, sw: switch}
links:
  - {link: a -- sw, name: cable}
  - {link: sw -- b, name: upper}
  - {link: sw -- b, name: lower}
seed: 7
run:
  - {at: 1s, down: [cable, lower], filters: {upper: {delay: 5ms}}}
expect:
  # before the cut
  - {count: icmp, is: 0, at: 500ms}
  - {seen: icmp, link: upper}
`);
  expect([...files]).toEqual([
    [
      expect.stringMatching(/\/projects\/p\/files\/tests\.yaml$/),
      `run:
  - {at: 1s, down: [a-sw, sw-b-2], filters: {sw-b: {delay: 5ms}}}
expect:
  # before the cut
  - {count: icmp, is: 0, at: 500ms}
  - {seen: icmp, link: sw-b}
`,
    ],
  ]);
});

test("a lab file without tests leaves the lab without any", async () => {
  await build("nodes: {a: pc}");
  expect(files.size).toBe(0);
});
