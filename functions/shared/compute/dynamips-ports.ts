/** The ports of Dynamips routers, by the adapters in their slots (Cisco's names of the modules). */
import type { Port } from "../schemas/node.ts";
import { ETHERNET, SERIAL } from "./link-types.ts";

type Kind = "Ethernet" | "FastEthernet" | "GigabitEthernet" | "Serial" | "ATM" | "POS";

const ADAPTERS: Readonly<Record<string, readonly [Kind, number]>> = {
  "C1700-MB-1FE": ["FastEthernet", 1],
  "C1700-MB-WIC1": ["FastEthernet", 1],
  "C2600-MB-1E": ["Ethernet", 1],
  "C2600-MB-2E": ["Ethernet", 2],
  "C2600-MB-1FE": ["FastEthernet", 1],
  "C2600-MB-2FE": ["FastEthernet", 2],
  "C7200-IO-FE": ["FastEthernet", 1],
  "C7200-IO-2FE": ["FastEthernet", 2],
  "C7200-IO-GE-E": ["GigabitEthernet", 1],
  "GT96100-FE": ["FastEthernet", 2],
  "Leopard-2FE": ["FastEthernet", 2],
  "NM-1E": ["Ethernet", 1],
  "NM-4E": ["Ethernet", 4],
  "NM-1FE-TX": ["FastEthernet", 1],
  "NM-16ESW": ["FastEthernet", 16],
  "NM-4T": ["Serial", 4],
  "PA-FE-TX": ["FastEthernet", 1],
  "PA-2FE-TX": ["FastEthernet", 2],
  "PA-GE": ["GigabitEthernet", 1],
  "PA-4E": ["Ethernet", 4],
  "PA-8E": ["Ethernet", 8],
  "PA-4T+": ["Serial", 4],
  "PA-8T": ["Serial", 8],
  "PA-A1": ["ATM", 1],
  "PA-POS-OC3": ["POS", 1],
};

const WICS: Readonly<Record<string, readonly [Kind, number]>> = {
  "WIC-1ENET": ["Ethernet", 1],
  "WIC-1T": ["Serial", 1],
  "WIC-2T": ["Serial", 2],
};

/** A WIC's first port has the number 16, the next WIC's 32: its ports are those of slot 0. */
const PORTS_PER_WIC = 16;
const SLOTS = [0, 1, 2, 3, 4, 5, 6];
const WIC_SLOTS = [0, 1, 2];

const CARRIES = {
  Ethernet: ETHERNET,
  FastEthernet: ETHERNET,
  GigabitEthernet: ETHERNET,
  Serial: SERIAL,
  ATM: { data_link_types: { ATM: "DLT_ATM_RFC1483" }, link_type: "serial" },
  POS: { data_link_types: {}, link_type: "serial" },
} as const satisfies Record<Kind, Partial<Port>>;

const portOf = (kind: Kind, adapter: number, place: string, port_number: number): Port => ({
  ...CARRIES[kind],
  name: `${kind}${place}`,
  short_name: `${kind[0]!.toLowerCase()}${place}`,
  adapter_number: adapter,
  port_number,
});

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export const slotPorts = (properties: Readonly<Record<string, unknown>>): Port[] =>
  SLOTS.flatMap((slot) => {
    const [kind, count] = ADAPTERS[String(properties[`slot${slot}`])] ?? ["Ethernet", 0];
    return range(count).map((port) => portOf(kind, slot, `${slot}/${port}`, port));
  });

export function wicPorts(properties: Readonly<Record<string, unknown>>): Port[] {
  const next = new Map<Kind, number>();
  return WIC_SLOTS.flatMap((wic) => {
    const [kind, count] = WICS[String(properties[`wic${wic}`])] ?? ["Serial", 0];
    return range(count).map((port) => {
      const number = next.get(kind) ?? 0;
      next.set(kind, number + 1);
      return portOf(kind, 0, `0/${number}`, PORTS_PER_WIC * (wic + 1) + port);
    });
  });
}
