/** The ports of nodes on registered computes, which controllers derive from their type and properties. */
import type { Port } from "../schemas/node.ts";
import type { NodeDocument } from "../store/lab/node.ts";
import { slotPorts, wicPorts } from "./dynamips-ports.ts";
import { ETHERNET, SERIAL } from "./link-types.ts";

type Described = Pick<
  NodeDocument,
  | "node_type"
  | "properties"
  | "port_name_format"
  | "port_segment_size"
  | "first_port_name"
  | "custom_adapters"
>;

/** Bounds the ports of a node whose properties are wrong; the largest adapters of the emulators are below. */
const MOST_ADAPTERS = 275;
const DEFAULT_SWITCH_PORTS = 8;
const PORTS_PER_IOU_ADAPTER = 4;
const DEFAULT_IOU_ADAPTERS = 2;

const count = (value: unknown, fallback: number): number =>
  typeof value === "number" && value >= 0 ? Math.min(value, MOST_ADAPTERS) : fallback;

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export function portsOf(node: Described): Port[] {
  const { properties } = node;
  switch (node.node_type) {
    case "vpcs":
    case "traceng":
      return [{ ...ETHERNET, name: "Ethernet0", short_name: "e0", adapter_number: 0, port_number: 0 }];
    case "ethernet_switch":
    case "ethernet_hub":
      return mappingOf(node).map(({ name }, index) => ({
        ...ETHERNET,
        name,
        short_name: `e${index}`,
        adapter_number: 0,
        port_number: index,
      }));
    case "cloud":
    case "nat":
      return mappingOf(node).map(({ name }, index) => ({
        ...ETHERNET,
        name,
        short_name: name,
        adapter_number: 0,
        port_number: index,
      }));
    case "docker":
      return range(count(properties.adapters, 1)).map((adapter) => {
        const name = customName(node, adapter) ?? `eth${adapter}`;
        return { ...ETHERNET, name, short_name: name, adapter_number: adapter, port_number: 0 };
      });
    case "iou":
      return [
        ...iouPorts(0, count(properties.ethernet_adapters, DEFAULT_IOU_ADAPTERS), "Ethernet"),
        ...iouPorts(
          count(properties.ethernet_adapters, DEFAULT_IOU_ADAPTERS),
          count(properties.serial_adapters, DEFAULT_IOU_ADAPTERS),
          "Serial",
        ),
      ];
    case "dynamips":
      return [...slotPorts(properties), ...wicPorts(properties)];
    case "frame_relay_switch":
    case "atm_switch":
      return relayPorts(node);
    default:
      return formattedPorts(node);
  }
}

const customName = ({ custom_adapters }: Described, adapter: number): string | undefined =>
  custom_adapters.find((each) => each.adapter_number === adapter)?.port_name;

function mappingOf({ node_type, properties }: Described): readonly { readonly name: string }[] {
  const mapping = properties.ports_mapping;
  if (Array.isArray(mapping)) return mapping as { name: string }[];
  if (node_type === "cloud" || node_type === "nat") return [];
  return range(DEFAULT_SWITCH_PORTS).map((index) => ({ name: `Ethernet${index}` }));
}

const iouPorts = (first: number, adapters: number, kind: "Ethernet" | "Serial"): Port[] =>
  range(adapters).flatMap((index) =>
    range(PORTS_PER_IOU_ADAPTER).map((port) => ({
      ...(kind === "Ethernet" ? ETHERNET : SERIAL),
      name: `${kind}${first + index}/${port}`,
      short_name: `${kind === "Ethernet" ? "e" : "s"}${first + index}/${port}`,
      adapter_number: first + index,
      port_number: port,
    })),
  );

/** The keys and values of `mappings` begin with the number of a port: `1:101`. */
function relayPorts({ node_type, properties }: Described): Port[] {
  const mappings = Object.entries((properties.mappings ?? {}) as Record<string, string>);
  const numbers = new Set(mappings.flat().map((text) => Number.parseInt(text, 10)));
  const types: Port["data_link_types"] =
    node_type === "atm_switch" ? { ATM: "DLT_ATM_RFC1483" } : { "Frame Relay": "DLT_FRELAY" };
  return [...numbers]
    .filter((number) => number >= 0)
    .sort((a, b) => a - b)
    .map((number) => ({
      ...SERIAL,
      data_link_types: types,
      name: String(number),
      short_name: String(number),
      adapter_number: 0,
      port_number: number,
    }));
}

/** QEMU, VirtualBox and VMware: one port for each adapter, named by `port_name_format`. */
function formattedPorts(node: Described): Port[] {
  const { port_name_format, port_segment_size, first_port_name } = node;
  let port = 0;
  let segment = 0;
  return range(count(node.properties.adapters, 1)).map((adapter) => {
    const own = customName(node, adapter);
    let name = own ?? first_port_name ?? "";
    if (own === undefined && !(first_port_name && adapter === 0)) {
      name = named(port_name_format, port, segment, adapter);
      port += 1;
      if (port_segment_size > 0 && port % port_segment_size === 0) {
        segment += 1;
        port = 0;
      }
    }
    return { ...ETHERNET, name, short_name: shortened(name), adapter_number: adapter, port_number: 0 };
  });
}

const named = (format: string, port: number, segment: number, adapter: number): string =>
  format
    .replaceAll("{0}", String(port))
    .replaceAll("{1}", String(segment))
    .replaceAll("{adapter}", String(adapter))
    .replaceAll(/\{port(\d)\}/g, (_, more) => String(port + Number(more)))
    .replaceAll(/\{segment(\d)\}/g, (_, more) => String(segment + Number(more)));

const shortened = (name: string): string =>
  name.includes("/") ? name.replace("Ethernet", "e") : name.replace(/^Ethernet(?=\d)/, "e");
