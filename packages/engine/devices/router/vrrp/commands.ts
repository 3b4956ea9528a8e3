/** `vrrp ...` configures a virtual router of an interface; `show vrrp` prints them. */
import { formatMac } from "../../../wire/mac.ts";
import { virtualMac } from "../../../wire/vrrp.ts";
import type { RouterCommands } from "../command.ts";
import type { PortProperties } from "../config.ts";
import { portCommand, USAGE } from "../configure.ts";
import type { Parts } from "../parts.ts";
import { formatTable } from "../text-table.ts";
import type { VrrpProperties } from "./settings.ts";
import type { Vrrp, VrrpStatus } from "./vrrp.ts";

const VRRP_USAGE =
  "vrrp PORT ID [ip ADDR...] [ipv6 ADDR...] [priority N] [advertisement-interval MS] [preempt on|off] [accept on|off] [track PORT N|off]";
const NO_VRRP_USAGE = "no vrrp PORT ID";
const CENTISECOND_MS = 10;

export const vrrpCommand = portCommand(VRRP_USAGE, (port, [id = "", ...words]) => {
  const { vrrp = [] } = port;
  const index = vrrp.findIndex((each) => String(each.id) === id);
  const before = index === -1 ? { id: Number(id) } : vrrp[index]!;
  const edited = isNumber(id) ? readWords(before, words) : undefined;
  if (edited === undefined) return USAGE;
  return { ...port, vrrp: index === -1 ? [...vrrp, edited] : vrrp.with(index, edited) };
});

export const noVrrpCommand = portCommand(
  NO_VRRP_USAGE,
  (port, [id = "", ...rest]): PortProperties | string => {
    const { vrrp = [], ...others } = port;
    const kept = vrrp.filter((each) => String(each.id) !== id);
    if (!isNumber(id) || rest.length > 0) return USAGE;
    if (kept.length === vrrp.length)
      return `${port.name} is not in virtual router ${id}: show vrrp lists them`;
    return kept.length === 0 ? others : { ...others, vrrp: kept };
  },
);

type Read = (vrrp: VrrpProperties, values: readonly string[]) => VrrpProperties | undefined;

const one =
  (read: (vrrp: VrrpProperties, value: string) => VrrpProperties | undefined): Read =>
  (vrrp, [value, ...more]) =>
    value === undefined || more.length > 0 ? undefined : read(vrrp, value);

const onOff = (value: string): boolean | undefined => ({ on: true, off: false })[value];

const WORDS: Readonly<Record<string, Read>> = Object.assign(Object.create(null), {
  ip: (vrrp, values) => (values.length === 0 ? undefined : { ...vrrp, ipv4: [...values] }),
  ipv6: (vrrp, values) => (values.length === 0 ? undefined : { ...vrrp, ipv6: [...values] }),
  priority: one((vrrp, value) => (isNumber(value) ? { ...vrrp, priority: Number(value) } : undefined)),
  "advertisement-interval": one((vrrp, value) =>
    isNumber(value) ? { ...vrrp, advertisement_interval_cs: Number(value) / CENTISECOND_MS } : undefined,
  ),
  preempt: one((vrrp, value) => {
    const preempt = onOff(value);
    return preempt === undefined ? undefined : { ...vrrp, preempt };
  }),
  accept: one((vrrp, value) => {
    const accept = onOff(value);
    return accept === undefined ? undefined : { ...vrrp, accept };
  }),
  track(vrrp, [name, decrement, ...more]) {
    const { track: _, ...without } = vrrp;
    if (name === "off" && decrement === undefined) return without;
    if (name === undefined || !isNumber(decrement) || more.length > 0) return undefined;
    return { ...vrrp, track: { interface: name, decrement: Number(decrement) } };
  },
} satisfies Record<string, Read>);

/** Keywords, each followed by its values; undefined if one is wrong. */
function readWords(before: VrrpProperties, words: readonly string[]): VrrpProperties | undefined {
  let vrrp: VrrpProperties | undefined = before;
  for (let at = 0; at < words.length && vrrp !== undefined; ) {
    const next = words.findIndex((word, index) => index > at && WORDS[word.toLowerCase()] !== undefined);
    const end = next === -1 ? words.length : next;
    vrrp = WORDS[words[at]!.toLowerCase()]?.(vrrp, words.slice(at + 1, end));
    at = end;
  }
  return vrrp;
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);

export function showVrrp({ services }: Parts): readonly string[] {
  const vrrp = services.find<Vrrp>("vrrp");
  if (vrrp === undefined) return ["No virtual routers"];
  const headings = [
    "Interface",
    "ID",
    "Family",
    "State",
    "Priority",
    "Interval",
    "Master",
    "MAC",
    "Addresses",
  ];
  return formatTable(headings, vrrp.list().map(rowOf));
}

function rowOf({ port, spec, family, machine, role }: VrrpStatus): string[] {
  const addresses = (family === 4 ? spec.ipv4 : spec.ipv6) ?? [];
  return [
    port.name,
    String(spec.id),
    `IPv${family}`,
    machine.state,
    String(role.priority),
    `${spec.intervalCs * CENTISECOND_MS} ms`,
    machine.state === "master" ? "this router" : (machine.master ?? "-"),
    formatMac(virtualMac(spec.id, family === 6)),
    addresses.join(" "),
  ];
}

export const VRRP_COMMANDS: RouterCommands = [
  {
    head: "vrrp",
    syntax:
      "PORT ID [ip ADDR...] [ipv6 ADDR...] [priority N] [advertisement-interval MS] [preempt on|off] [accept on|off] [track PORT N] [track off]",
    usage: VRRP_USAGE,
    meaning: "share the addresses with other routers as virtual router ID; track lowers its priority by N",
    run: vrrpCommand,
    checksWords: true,
    words: { ip: "IPv4 addresses of the virtual router", ipv6: "IPv6 addresses of the virtual router" },
  },
  {
    head: "no vrrp",
    syntax: "PORT ID",
    meaning: "leave the virtual router",
    run: noVrrpCommand,
    checksWords: true,
  },
  { head: "show vrrp", meaning: "virtual routers, and their masters", run: showVrrp },
];
