/** `show vxlan`, `show vxlan mac` and `clear vxlan mac`. */

import { formatTable } from "../../../../base/text-table.ts";
import { formatIpv4 } from "../../../../wire/ipv4-address.ts";
import { formatMac } from "../../../../wire/mac.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { remoteOf } from "./bridge.ts";
import type { VxlanSegments } from "./vxlan.ts";

type Lines = readonly string[];

const OFF = "No VXLAN interfaces";

function showVxlan({ core, services }: Parts): Lines {
  const ports = services.find<VxlanSegments>("vxlan")?.ports;
  if (ports === undefined) return [OFF];
  const rows = ports.map(({ name, isUp, mtuBytes, segment }) => [
    name,
    isUp ? "up" : "shut down",
    String(segment.vni),
    formatIpv4(segment.local),
    segment.remotes.map(formatIpv4).join(" ") || "-",
    String(segment.udpPort),
    String(mtuBytes),
    segment.members.map((member) => core.tables.ports[member]!.name).join(" ") || "-",
  ]);
  return formatTable(["Interface", "State", "VNI", "Local", "Remotes", "Port", "MTU", "Members"], rows);
}

function showVxlanMacs({ core, services }: Parts): Lines {
  const segments = services.find<VxlanSegments>("vxlan");
  if (segments === undefined) return [OFF];
  const { nowUs } = core.world;
  const rows = segments.ports.flatMap(({ name, segment: { vni } }) =>
    segments
      .bridge(name)!
      .save(nowUs)
      .map(([, mac, place, heardUs]) => {
        const remote = remoteOf(place);
        const where = remote === undefined ? core.tables.ports[place]!.name : formatIpv4(remote);
        return [name, String(vni), formatMac(mac), where, `${Math.floor((nowUs - heardUs) / 1_000_000)} s`];
      }),
  );
  if (rows.length === 0) return ["No addresses"];
  return formatTable(["Interface", "VNI", "MAC", "At", "Age"], rows);
}

function clearVxlanMacs({ services }: Parts): Lines {
  services.find<VxlanSegments>("vxlan")?.forget();
  return [];
}

export const VXLAN_COMMANDS: RouterCommands = [
  { head: "show vxlan", meaning: "segments, their ends and bridged interfaces", run: showVxlan },
  {
    head: "show vxlan mac",
    meaning: "the addresses that they have learned; clear vxlan mac forgets them",
    run: showVxlanMacs,
  },
  {
    head: "clear vxlan mac",
    meaning: "forget the addresses of segments",
    run: clearVxlanMacs,
    unlisted: true,
  },
];
