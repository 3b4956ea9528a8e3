/** The addresses that a node's ports have learned, from its stored state. */
import type { RouterState } from "@wirelab/engine/devices/router/index";
import { AGEING_SECONDS, type SavedMac } from "@wirelab/engine/net/bridge/mac-table";
import { carries, withBundles } from "@wirelab/engine/net/bridge/ports";
import { formatMac } from "@wirelab/engine/wire/mac";
import type * as z from "zod/mini";
import { specOfType } from "../shared/run/lab-items.ts";
import type { macTableEntry } from "../shared/schemas/node.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";

/** @param nowUs the lab's clock. @returns the entries that have not expired. */
export function macTableOf(node: NodeItem, nowUs: number): z.output<typeof macTableEntry>[] {
  const { node_type, ports } = node.document;
  const learned = LEARNERS[node_type]?.(node);
  if (learned === undefined) return [];
  const { macs, ageingSeconds } = learned;
  return macs
    .map(([vlan, mac, port, heardUs]) => ({
      vlan,
      mac: formatMac(mac),
      port_number: port,
      port_name: ports[port]?.name ?? "",
      age: (nowUs - heardUs) / 1e6,
    }))
    .filter(({ age }) => age < ageingSeconds);
}

interface Learned {
  readonly macs: readonly SavedMac[];
  readonly ageingSeconds: number;
}

/** Without addresses behind ports that have lost their link or VLAN between two runs. */
function learnedBySwitch(node: NodeItem): Learned {
  const { ports: cables, bundles, ageing_time = AGEING_SECONDS } = specOfType(node, "ethernet_switch");
  const { macs = [] } = (node.state?.device ?? {}) as { macs?: SavedMac[] };
  const ports = withBundles(cables, bundles);
  return { macs: macs.filter(([vlan, , port]) => carries(ports[port], vlan)), ageingSeconds: ageing_time };
}

function learnedByRouter({ state }: NodeItem): Learned {
  const { services } = (state?.device ?? {}) as Partial<RouterState>;
  return { macs: services?.bridge ?? [], ageingSeconds: AGEING_SECONDS };
}

const LEARNERS: Readonly<Partial<Record<string, (node: NodeItem) => Learned>>> = {
  ethernet_switch: learnedBySwitch,
  router: learnedByRouter,
};

/** Whether nodes of the type learn addresses. */
export const learnsMacs = (type: string): boolean => type in LEARNERS;
