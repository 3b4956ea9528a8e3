/** `show vlan` and `show mac address-table`: the switched ports at the console. */

import { formatTable } from "../../../../base/text-table.ts";
import { AGEING_SECONDS } from "../../../../net/bridge/mac-table.ts";
import { carriesVlan } from "../../../../net/plane/switchport.ts";
import { parseVlans } from "../../../../net/plane/vlan-list.ts";
import { formatMac } from "../../../../wire/mac.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import type { VlanBridge } from "./bridge.ts";
import { SWITCHING_CONFIGURE } from "./configure.ts";

type Lines = readonly string[];

/** The VLANs that a port or an interface names. */
function showVlan({ core }: Parts): Lines {
  const { ports, svis } = core.tables;
  const switched = ports.filter(({ switchport }) => switchport !== undefined);
  if (switched.length === 0 && svis.size === 0) return ["No switched ports"];
  const named = core.running.ports.flatMap(({ switchport }) => [
    ...(switchport ? [switchport.vlan] : []),
    ...(switchport?.allowed === undefined ? [] : parseVlans(switchport.allowed)!),
  ]);
  const vlans = [...new Set([...named, ...svis.keys()])].toSorted((a, b) => a - b);
  const rows = vlans.map((vlan) => {
    const svi = svis.get(vlan);
    const members = switched
      .filter(({ switchport }) => carriesVlan(switchport!, vlan))
      .map(({ name, switchport }) => (switchport!.port.vlan === vlan ? name : `${name} (tagged)`));
    const state = svi === undefined ? "-" : svi.isUp ? "up" : "down";
    return [String(vlan), svi?.name ?? "-", state, members.join(", ") || "-"];
  });
  return formatTable(["VLAN", "Interface", "State", "Ports"], rows);
}

function showMacs({ core, services }: Parts): Lines {
  const macs = services.find<VlanBridge>("bridge")?.macs() ?? [];
  if (macs.length === 0) return ["No addresses"];
  const rows = macs
    .toSorted(([vlanA, macA], [vlanB, macB]) => vlanA - vlanB || macA - macB)
    .map(([vlan, mac, port, heardUs]) => [
      String(vlan),
      formatMac(mac),
      core.tables.ports[port]!.name,
      `${Math.ceil(AGEING_SECONDS - (core.world.nowUs - heardUs) / 1_000_000)} s`,
    ]);
  return formatTable(["VLAN", "MAC", "Port", "Expires in"], rows);
}

function clearMacs({ services }: Parts): Lines {
  services.find<VlanBridge>("bridge")?.clear();
  return [];
}

export const SWITCHING_COMMANDS: RouterCommands = [
  ...SWITCHING_CONFIGURE,
  { head: "show vlan", meaning: "VLANs with their interfaces and switched ports", run: showVlan },
  {
    head: "show mac address-table",
    meaning: "addresses that the switched ports have learned; clear mac address-table",
    run: showMacs,
  },
  { head: "clear mac address-table", meaning: "forget them", run: clearMacs, unlisted: true },
];
