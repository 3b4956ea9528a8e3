/** What a switch knows: the response of `GET .../nodes/{node_id}/state` (docs/devices/switch.md). */
import * as z from "zod/mini";

const port = z.int().check(z.describe("The number of a port; of a bundle, its first"));

const rstp = z.object({
  bridge: z.string().check(z.describe("Priority and address: `32768.02:00:00:00:00:00`")),
  root: z.string(),
  root_path_cost: z.int(),
  root_port: z.optional(port).check(z.describe("Absent at the root")),
  ports: z.array(
    z.object({
      port,
      role: z.enum(["disabled", "root", "designated", "alternate", "backup"]),
      state: z.enum(["discarding", "learning", "forwarding"]),
      is_edge: z.boolean(),
      is_shut: z.boolean().check(z.describe("A BPDU has arrived at a port with `bpdu_guard`")),
      protocol: z.enum(["rstp", "stp"]),
      cost: z.int(),
      designated_bridge: z.string(),
      designated_port: z.int(),
    }),
  ),
});

const bundle = z.object({
  port,
  mode: z.enum(["active", "passive", "on"]),
  is_up: z.boolean(),
  members: z.array(
    z.object({
      port: z.int(),
      is_up: z.boolean().check(z.describe("Whether the port has a carrier")),
      is_used: z.boolean().check(z.describe("Whether frames of the bundle leave through the port")),
      mux: z.optional(z.enum(["detached", "waiting", "attached", "collecting", "distributing"])),
      receive: z.optional(z.enum(["disabled", "expired", "defaulted", "current"])),
      partner: z.optional(z.object({ system: z.string(), key: z.int(), port: z.int() })),
    }),
  ),
});

const neighbour = z.object({
  port: z.int(),
  chassis: z.string(),
  chassis_kind: z.string(),
  neighbour_port: z.string(),
  neighbour_port_kind: z.string(),
  port_description: z.optional(z.string()),
  system_name: z.optional(z.string()),
  system_description: z.optional(z.string()),
  capabilities: z.optional(z.array(z.string())),
  enabled_capabilities: z.optional(z.array(z.string())),
  ttl: z.number().check(z.describe("Lab seconds until the entry expires")),
});

/** What IGMP and MLD snooping have in common. */
const snooping = z.object({
  groups: z.array(
    z.object({
      vlan: z.int(),
      group: z.string(),
      ports: z.array(z.object({ port, seconds: z.number() })),
    }),
  ),
  router_ports: z.array(
    z.object({
      vlan: z.int(),
      port,
      seconds: z.optional(z.number()).check(z.describe("Absent for a port that is set")),
    }),
  ),
  queriers: z.array(z.object({ vlan: z.int(), address: z.string(), is_own: z.boolean() })),
});

const mirror = z.object({
  destination: z.int(),
  sources: z.array(z.object({ port: z.int(), direction: z.enum(["rx", "tx", "both"]) })),
});

const storm = z.object({
  port,
  kind: z.enum(["broadcast", "multicast", "unknown_unicast"]),
  limit: z.int().check(z.describe("Packets per second")),
  drops: z.int(),
});

export const switchState = z
  .object({
    rstp: z.nullable(rstp),
    bundles: z.array(bundle),
    lldp_neighbours: z.array(neighbour),
    igmp_snooping: z.nullable(snooping),
    mld_snooping: z.nullable(snooping),
    mirror: z.nullable(mirror),
    storm_control: z.array(storm),
    static_macs: z.array(z.object({ vlan: z.int(), mac: z.string(), port })),
  })
  .check(z.meta({ id: "SwitchState" }));
