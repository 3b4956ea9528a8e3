/** The lab file as it is written. The readers use the parts; `json-schema.ts` joins them for editors. */

import { KINDS, type LabType } from "@wirelab/engine/devices/kinds";
import { NAT } from "@wirelab/engine/devices/nat/properties";
import { SERVICE_KEYS } from "@wirelab/engine/devices/router/shell/service-settings";
import { IMPAIRMENT_TYPES } from "@wirelab/engine/link/impairments/index";
import { SWITCH_PROPERTIES } from "@wirelab/engine/net/bridge/settings/parse";
import { SERVICES } from "@wirelab/engine/net/host/settings";
import * as z from "zod/mini";

const FILTER_NAMES = ["frequency_drop", "packet_loss", "delay", "corrupt", "bpf", "suspend"] as const;
const scalar = z.union([z.string(), z.number()]);
export const duration = scalar.check(z.describe("Lab time: 1.5s, 20ms, 2m; a number alone is seconds"));
const milliseconds = scalar.check(
  z.describe('A comparison with a time: "< 65ms", 10..20; a number alone is milliseconds'),
);
const amount = scalar.check(z.describe('A comparison with a count: 0, "> 3", 10..20, "< 10k"'));
const share = scalar.check(z.describe('A comparison with a count or a share: 0, "< 10%"'));
const names = z.union([z.string(), z.array(z.string())]);
const port = z.union([z.int(), z.string()]).check(z.describe("A port's number or name"));

export const NODE_TYPES = KINDS.map(({ labType }) => labType);

const socketAddress = z.string().check(z.describe("127.0.0.1:20000 or [::1]:20000"));

const switchPort = z.strictObject({
  name: z.optional(z.string()),
  type: z.optional(z.enum(["access", "dot1q", "qinq"])),
  vlan: z.optional(z.int().check(z.minimum(1), z.maximum(4094))),
  ethertype: z.optional(z.enum(["0x8100", "0x88A8", "0x9100", "0x9200"])),
});

/** A program with its arguments, and the place that reports name. */
const step = z.strictObject({ run: z.array(z.string()), place: z.optional(z.string()) });

/** Settings that the engine reads: `json-schema.ts` describes them. */
const readByRows = (keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, z.optional(z.unknown())]));

export const nodeSchemas = {
  pc: z.strictObject({
    type: z.optional(z.enum(["pc", "vpcs"])),
    ip: z.optional(names).check(z.describe("Addresses with prefix length, `dhcp` or `auto`")),
    gateway: z.optional(z.string()),
    dns: z.optional(names),
    commands: z.optional(names).check(z.describe("Further lines of the start-up script")),
    started: z.optional(z.boolean()),
    ignore_checksums: z.optional(z.boolean()),
  }),
  switch: z.strictObject({
    type: z.enum(["switch", "ethernet_switch"]),
    ports: z.optional(z.union([z.int().check(z.minimum(1), z.maximum(256)), z.array(switchPort)])),
    vlans: z
      .optional(z.record(z.string(), z.union([z.int(), z.literal("trunk")])))
      .check(z.describe("By port number: the VLAN of an access port, or `trunk`")),
    ...readByRows(SWITCH_PROPERTIES),
    started: z.optional(z.boolean()),
  }),
  hub: z.strictObject({
    type: z.enum(["hub", "ethernet_hub"]),
    ports: z.optional(z.int().check(z.minimum(1), z.maximum(256))),
    started: z.optional(z.boolean()),
  }),
  router: z.strictObject({
    ...readByRows(["interfaces", ...SERVICE_KEYS, "unsupported"]),
    type: z.literal("router"),
    config: z
      .optional(z.union([z.string(), z.strictObject({ from: z.string() })]))
      .check(z.describe("FRR's configuration: its text, or the name of a file")),
    ports: z
      .optional(z.array(z.union([z.string(), z.looseObject({})])))
      .check(z.describe("Each an address with prefix length, or an object as in the service's properties")),
    routes: z
      .optional(
        z.union([
          z.record(z.string(), z.union([z.string(), z.array(z.string())])),
          z.array(z.looseObject({})),
        ]),
      )
      .check(
        z.describe("By destination: 10.9.0.0/16: 10.0.0.2, or a list of gateways that share the packets"),
      ),
    started: z.optional(z.boolean()),
  }),
  server: z.strictObject({
    type: z.literal("server"),
    ip: z.optional(names).check(z.describe("Addresses with prefix length, one of each family")),
    gateway: z.optional(names).check(z.describe("One of each family")),
    ...readByRows(["mtu", ...Object.keys(SERVICES)]),
    http: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe("Texts by path, or an object with port and files")),
    started: z.optional(z.boolean()),
  }),
  nat: z.strictObject({
    type: z.literal("nat"),
    ...readByRows(Object.keys(NAT)),
    started: z.optional(z.boolean()),
  }),
  linux: z.strictObject({
    type: z.literal("linux"),
    image: z.optional(z.string()).check(z.describe("An image of `wirelab image build`; default debian")),
    hostname: z
      .optional(z.string())
      .check(z.describe("The name that the guest has; the node's name by default")),
    ports: z
      .optional(z.union([z.int().check(z.minimum(1), z.maximum(64)), z.array(z.nullable(names))]))
      .check(z.describe("Their number, or for each one its addresses with prefix length")),
    files: z
      .optional(z.record(z.string(), z.union([z.string(), z.strictObject({ from: z.string() })])))
      .check(z.describe("By path in the guest: a text, or the file that has it (`from`)")),
    addresses: z
      .optional(names)
      .check(z.describe("Addresses that the node's own commands give it: expectations find it by them")),
    interfaces: z
      .optional(z.array(z.string()))
      .check(z.describe("Names of the ports, in the guest and in links; default eth0, eth1, ...")),
    commands: z.optional(names).check(z.describe("Shell commands at power-on")),
    main: z
      .optional(step)
      .check(z.describe("A program that starts after the commands, and may run as long as the node")),
    exec: z
      .optional(z.array(step))
      .check(z.describe("Programs after the commands, each run without a shell; what fails is reported")),
    collect: z
      .optional(names)
      .check(z.describe("Paths of files in the guest that `wirelab test` keeps at the end of the lab")),
    started: z.optional(z.boolean()),
  }),
  cloud: z.strictObject({
    type: z.literal("cloud"),
    udp: z
      .optional(z.strictObject({ listen: socketAddress, to: socketAddress }))
      .check(z.describe("A frame in each datagram")),
    vxlan: z
      .optional(z.strictObject({ vni: z.int(), listen: socketAddress, to: socketAddress }))
      .check(z.describe("RFC 7348; the port is 4789 unless an address has one")),
    tap: z.optional(z.string()).check(z.describe("The name of a tap interface to make")),
    interface: z.optional(z.string()).check(z.describe("An interface that the machine has")),
  }),
} satisfies Record<LabType, z.ZodMiniType>;

const filters = z
  .record(z.string(), z.unknown())
  .check(
    z.describe(
      "frequency_drop, packet_loss, delay, corrupt, bpf: values as in the interface, lists or scalars",
    ),
  );

const impairments = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .check(
    z.describe(
      "Beyond the filters: the name of a preset, or both, a_to_b, b_to_a, carrier, schedule (docs/impairments.md)",
    ),
  );

export const linkSchema = z.strictObject({
  link: z.string().check(z.describe("`pc1 -- sw1:0`: two nodes, each with its port if that matters")),
  name: z.optional(z.string()),
  filters: z.optional(filters),
  impairments: z.optional(impairments),
  down: z.optional(z.boolean()),
});

const replay = z.strictObject({ file: z.string(), from: z.string(), port: z.optional(port) });

/** What an event may do; one or more of these in an entry of `run`. */
export const deedSchemas = {
  console: z.record(z.string(), names).check(z.describe("By node: commands to type")),
  down: names.check(z.describe("Links to take down")),
  up: names,
  filters: z
    .record(z.string(), z.nullable(filters))
    .check(z.describe("By link: its new filters; null for none")),
  impairments: z
    .record(z.string(), z.nullable(impairments))
    .check(z.describe("By link: its new impairments; null for none")),
  start: names,
  stop: names,
  suspend: names,
  reload: names,
  replay,
};
export type DeedKind = keyof typeof deedSchemas;

export const eventSchema = z.strictObject({
  at: z.optional(duration),
  name: z.optional(z.string()),
  ...(Object.fromEntries(
    Object.entries(deedSchemas).map(([kind, schema]) => [kind, z.optional(schema)]),
  ) as unknown as { [K in DeedKind]: z.ZodMiniOptional<(typeof deedSchemas)[K]> }),
});

/** Fields that every expectation may have. */
const common = {
  name: z.optional(z.string()),
  not: z.optional(z.boolean()),
  at: z.optional(z.union([duration, z.literal("end")])),
  after: z.optional(z.string()).check(z.describe("The name of an event")),
  within: z.optional(duration).check(z.describe("The time that it has after `after`, or after `at`")),
};

const fromTo = z
  .union([names, z.strictObject({ from: names, to: names })])
  .check(z.describe("`pc1 -> pc2`, a list of these, or `all` for every pair of PCs"));
const probe = {
  protocol: z.optional(z.enum(["icmp", "udp", "tcp"])),
  port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
};
const packets = {
  link: z.optional(z.string()),
  from: z.optional(z.string()).check(z.describe("The node at the link that sends them")),
  filters: z.optional(z.enum(["before", "after"])).check(z.describe("Before or after the link's filters")),
  since: z.optional(duration),
  until: z.optional(duration),
};
const expression = z.string().check(z.describe("A pcap-filter expression"));

/** What BGP knows of a route. */
const bgpFields = {
  as_path: z
    .optional(z.union([z.string(), z.number()]))
    .check(z.describe("The numbers of the path, as routers print them: `65002 65003 {7,8}`")),
  communities: z
    .optional(z.array(z.string()))
    .check(z.describe("All communities, like `65001:100`; read of simulated routers")),
  origin: z.optional(z.enum(["igp", "egp", "incomplete"])),
  local_preference: z.optional(amount),
  med: z.optional(amount),
  weight: z.optional(amount),
};

/** The states of neighbours by protocol. */
export const ADJACENCY_STATES = {
  ospf: ["down", "attempt", "init", "2-way", "exstart", "exchange", "loading", "full"],
  bgp: ["idle", "connect", "active", "opensent", "openconfirm", "established"],
} as const;

/** The kinds of expectations, each with its own fields. */
export const claimSchemas = {
  reach: z.strictObject({
    reach: fromTo,
    tries: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
    ...probe,
    ...common,
  }),
  ping: z.strictObject({
    ping: z.string(),
    count: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
    interval: z.optional(duration),
    size: z.optional(z.int().check(z.minimum(0), z.maximum(65_507))),
    lost: z.optional(share),
    duplicates: z.optional(amount),
    min: z.optional(milliseconds),
    mean: z.optional(milliseconds),
    p50: z.optional(milliseconds),
    p90: z.optional(milliseconds),
    p99: z.optional(milliseconds),
    max: z.optional(milliseconds),
    ...probe,
    ...common,
  }),
  path: z.strictObject({
    path: z.string(),
    via: z.optional(z.array(z.string())).check(z.describe("The routers between the ends, in order")),
    through: z.optional(z.array(z.string())).check(z.describe("All nodes between the ends, in order")),
    hops: z.optional(amount),
    ...probe,
    ...common,
  }),
  seen: z.strictObject({ seen: expression, ...packets, ...common }),
  never: z.strictObject({ never: expression, ...packets, ...common }),
  count: z.strictObject({ count: expression, is: amount, ...packets, ...common }),
  mac: z.strictObject({
    mac: z.string().check(z.describe("A switch, or a router with switched ports")),
    has: z.string().check(z.describe("A node or a MAC address")),
    port: z.optional(port),
    vlan: z.optional(z.int()),
    ...common,
  }),
  arp: z.strictObject({
    arp: z.string().check(z.describe("A PC or router")),
    has: z.string().check(z.describe("A node or an IPv4 address")),
    mac: z.optional(z.string()),
    ...common,
  }),
  route: z.strictObject({
    route: z.string().check(z.describe("A router")),
    to: z.string(),
    via: z.optional(z.string()),
    ...common,
  }),
  adjacency: z.strictObject({
    adjacency: z
      .string()
      .check(
        z.describe(
          "`r1 -- r2`: two routers or Linux nodes with FRR or BIRD, each with its port if that matters",
        ),
      ),
    protocol: z.optional(z.enum(["ospf", "bgp"])),
    state: z
      .optional(z.enum([...ADJACENCY_STATES.ospf, ...ADJACENCY_STATES.bgp]))
      .check(
        z.describe(
          "Of the neighbour at both ends; when absent, full for OSPF, or 2-way between two that are neither designated router nor backup, and established for BGP",
        ),
      ),
    ...common,
  }),
  rib: z.strictObject({
    rib: z.string().check(z.describe("A router, or a Linux node with FRR")),
    routes: z
      .record(
        z.string(),
        z.union([
          names,
          z.strictObject({
            via: z.optional(names),
            protocol: z.optional(z.string()),
            distance: z.optional(amount),
            metric: z.optional(amount),
            ...bgpFields,
          }),
        ]),
      )
      .check(
        z.describe(
          "By prefix: all its next hops (addresses, `connected`, `blackhole`, `unreachable`), or a map with `via`, `protocol`, `distance`, `metric`, and for routes of BGP `as_path`, `communities`, `origin`, `local_preference`, `med`, `weight`",
        ),
      ),
    protocol: z
      .optional(z.string())
      .check(
        z.describe("`bgp`, `ospf`, `connected`, `static`, `rip`: routes of other protocols do not count"),
      ),
    only: z
      .optional(z.boolean())
      .check(z.describe("Whether there may be no other routes; false when absent")),
    ...common,
  }),
  best: z.strictObject({
    best: z.string().check(z.describe("A router, or a Linux node with FRR")),
    to: z.string().check(z.describe("A network with prefix length")),
    via: z.optional(z.string()).check(z.describe("The next hop of the path that BGP has chosen, or `local`")),
    reason: z
      .optional(z.string())
      .check(
        z.describe(
          "The step of the decision that chose it before the second one: `Weight`, `Local Pref`, `AS Path`, `MED`, as FRR has them",
        ),
      ),
    ...bgpFields,
    ...common,
  }),
  lease: z.strictObject({
    lease: z.string().check(z.describe("A PC")),
    address: z.optional(z.string()).check(z.describe("An address or a prefix that holds it")),
    gateway: z.optional(z.string()),
    ...common,
  }),
  console: z.strictObject({
    console: z.string().check(z.describe("A node")),
    contains: z.optional(z.string()),
    matches: z.optional(z.string()).check(z.describe("A regular expression")),
    ...common,
  }),
  throughput: z.strictObject({
    throughput: z.string().check(z.describe("`a -> b`: bulk data from one node to another; one is a server")),
    is: z
      .optional(z.string())
      .check(z.describe('A comparison with a rate: "> 9mbit", 4..5mbit; units bit, kbit, mbit, gbit')),
    resent: z.optional(amount).check(z.describe("Retransmissions of a sending server")),
    timeouts: z.optional(amount),
    transfer: z
      .optional(z.int().check(z.minimum(1)))
      .check(z.describe("The number of the transfer between the two, from 1; the last one when absent")),
    ...common,
  }),
  filter: z.strictObject({
    filter: z.string().check(z.describe("A link")),
    type: z
      .union([z.enum(FILTER_NAMES), z.enum(IMPAIRMENT_TYPES)])
      .check(z.describe("A filter's type, or an impairment's: loss.random, queue.codel")),
    seen: z.optional(amount),
    dropped: z.optional(amount),
    corrupted: z.optional(amount),
    ...common,
  }),
  loop: z.strictObject({ loop: z.nullable(z.boolean()), ...common }),
  digest: z.strictObject({ digest: z.string(), ...common }),
  budget: z.strictObject({
    budget: z.union([z.literal("lab"), z.string()]).check(z.describe("`lab` or a link")),
    events: z.optional(amount),
    packets: z.optional(amount),
    bytes: z.optional(amount),
    ...common,
  }),
};
export type ClaimKey = keyof typeof claimSchemas;

export const labSchema = z.strictObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  topology: z
    .optional(z.string())
    .check(
      z.describe(
        "A containerlab file, a lab of CML (.yaml) or a .gns3project, relative to this file; instead of nodes and links",
      ),
    ),
  neighbours: z
    .optional(z.boolean())
    .check(
      z.describe("Whether neighbours that the routers of the topology promise are checked; true when absent"),
    ),
  seed: z.optional(scalar),
  clock: z
    .optional(z.union([z.string(), z.date()]))
    .check(z.describe("RFC 3339: the lab's clock at power-on")),
  duration: z.optional(duration).check(z.describe("Lab time of the timeline; else until no event is left")),
  limits: z.optional(
    z.strictObject({
      events: z.optional(z.int().check(z.minimum(1))),
      packets: z.optional(z.int().check(z.minimum(1))),
      lab_seconds: z.optional(z.number().check(z.gt(0))),
    }),
  ),
  routing: z
    .optional(
      z.strictObject({
        quiet: z
          .optional(duration)
          .check(
            z.describe(
              "Lab time without a change of OSPF or BGP after which the lab has booted; 40s when absent",
            ),
          ),
        limit: z
          .optional(duration)
          .check(
            z.describe(
              "Lab time after which the lab has booted although OSPF or BGP still changes; 600s when absent",
            ),
          ),
      }),
    )
    .check(z.describe("When a lab with a routing protocol has booted, and ends if it has no duration")),
  nodes: z.optional(z.record(z.string(), z.unknown())),
  links: z.optional(z.array(z.unknown())),
  run: z.optional(z.array(z.unknown())),
  expect: z.optional(z.array(z.unknown())),
});
export type LabData = z.output<typeof labSchema>;
