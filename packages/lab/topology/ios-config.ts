/** Reads the addresses and static routes of an IOS configuration. Reports each line that does something else. */

export interface IosConfig {
  /** Addresses with prefix length, by interface. */
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  readonly mtus: ReadonlyMap<string, number>;
  readonly routes: readonly { readonly to: string; readonly via: string }[];
}

/** Lines that name, log, count, or only set what the simulated router has anyway. */
const IGNORED =
  /^(?:!.*|end|exit|version .*|hostname .*|boot-.*|service .*|no (?!ip routing|ipv6 unicast-routing).*|ip cef|ipv6 cef|ipv6 unicast-routing|ip forward-protocol .*|ip ssh .*|mmi .*|clock .*|logging .*|control-plane.*|line .*|username .*|enable .*|redundancy|platform .*|license .*|memory .*|multilink .*|ip domain[ -].*)$/i;
/** Sections whose indented lines are about terminals and users. */
const IGNORED_SECTION = /^(?:line|control-plane|redundancy|platform)\b/i;
const IGNORED_IN_INTERFACE =
  /^(?:!.*|description .*|duplex .*|speed .*|media-type .*|negotiation .*|load-interval .*|bandwidth .*|exit|no .*|ipv6 enable)$/i;

/** @param report receives what cannot be run. */
export function readIosConfig(
  lines: readonly string[],
  linked: readonly string[],
  report: (message: string) => void,
): IosConfig {
  const addresses = new Map<string, string[]>();
  const mtus = new Map<string, number>();
  const routes: { to: string; via: string }[] = [];
  const refuse = (line: string) => report(`cannot be run here: ${JSON.stringify(line)}.`);
  /** The section of the line: an interface, or undefined for another one, whose lines are skipped. */
  let section: string | undefined;
  for (const line of withoutBanners(lines)) {
    const text = line.trim();
    if (text === "") continue;
    if (/^\s/.test(line)) {
      if (section === undefined) continue;
      const port = findPort(section, linked);
      const problem = readInterfaceLine(text, port, { addresses, mtus });
      if (problem) report(`cannot be run here: ${JSON.stringify(text)} of ${section}${problem}`);
      continue;
    }
    section = /^interface (.+)$/i.exec(text)?.[1];
    if (section !== undefined || IGNORED.test(text) || IGNORED_SECTION.test(text)) continue;
    const route = readRoute(text);
    if (route) routes.push(route);
    else refuse(text);
  }
  return { addresses, mtus, routes };
}

/** `banner motd ^C ... ^C`: the character after the kind ends the text. */
function withoutBanners(lines: readonly string[]): string[] {
  let end: string | undefined;
  return lines.filter((line) => {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      return false;
    }
    const [whole, mark, rest = ""] = /^banner \S+ (\^C|\S)(.*)$/i.exec(line) ?? [];
    if (whole === undefined) return true;
    if (!rest.includes(mark!)) end = mark;
    return false;
  });
}

interface Draft {
  readonly addresses: Map<string, string[]>;
  readonly mtus: Map<string, number>;
}

/** @param port undefined for an interface without a link. @returns what is wrong with the line. */
function readInterfaceLine(
  text: string,
  port: string | undefined,
  { addresses, mtus }: Draft,
): string | undefined {
  if (IGNORED_IN_INTERFACE.test(text)) return undefined;
  if (/^shutdown$/i.test(text)) return port === undefined ? undefined : ": the interface has a link.";
  const address = readAddress(text);
  if (address !== undefined) {
    if (port === undefined) return ": the interface has no link.";
    addresses.set(port, [...(addresses.get(port) ?? []), address]);
    return undefined;
  }
  const mtu = /^(?:ip )?mtu ([0-9]+)$/i.exec(text)?.[1];
  if (mtu === undefined) return ".";
  if (port !== undefined) mtus.set(port, Number(mtu));
  return undefined;
}

function readAddress(text: string): string | undefined {
  const [, ipv4, mask] = /^ip address ([0-9.]+) ([0-9.]+)$/i.exec(text) ?? [];
  const length = mask === undefined ? undefined : prefixLength(mask);
  if (length !== undefined) return `${ipv4}/${length}`;
  return /^ipv6 address ([0-9a-f:.]+\/[0-9]+)$/i.exec(text)?.[1];
}

/** With or without the outgoing interface, a distance, or a name. */
function readRoute(text: string): { to: string; via: string } | undefined {
  const [, to4, mask, via4] =
    /^ip route ([0-9.]+) ([0-9.]+) (?:[a-z]+ ?[0-9/.]+ )?([0-9.]+)(?: name \S+)?$/i.exec(text) ?? [];
  const length = mask === undefined ? undefined : prefixLength(mask);
  if (length !== undefined) return { to: `${to4}/${length}`, via: via4! };
  const [, to6, via6] =
    /^ipv6 route ([0-9a-f:.]+\/[0-9]+) (?:[a-z]+ ?[0-9/.]+ )?([0-9a-f:]+)$/i.exec(text) ?? [];
  return to6 === undefined ? undefined : { to: to6, via: via6! };
}

/** @returns undefined for a mask whose ones are not all at its left. */
export function prefixLength(mask: string): number | undefined {
  const parts = mask.split(".").map(Number);
  if (parts.length !== 4 || parts.some((part) => !(part <= 255))) return undefined;
  const bits = parts.map((part) => part.toString(2).padStart(8, "0")).join("");
  return /^1*0*$/.test(bits) ? bits.replaceAll("0", "").length : undefined;
}

/** Finds an interface by its name, which may be shortened: `Gi0/1` is `GigabitEthernet0/1`. */
function findPort(name: string, ports: readonly string[]): string | undefined {
  const [letters, numbers] = split(name);
  return ports.find((port) => {
    const [whole, own] = split(port);
    return own === numbers && whole.startsWith(letters);
  });
}

function split(name: string): readonly [letters: string, numbers: string] {
  const [, letters = "", numbers = ""] = /^([a-z-]*)\s*(.*)$/i.exec(name.trim()) ?? [];
  return [letters.toLowerCase(), numbers];
}
