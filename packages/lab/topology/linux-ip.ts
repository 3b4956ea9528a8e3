/** Reads commands of iproute2, `ifconfig`, `route` and DHCP clients, with their abbreviations and orders. */
import { prefixLength } from "./ios-config.ts";
import { DEFAULT_4, DEFAULT_6, type LinuxDraft } from "./linux-config.ts";

/** Does a command, or returns why a simulated device cannot. */
export type Perform = (args: readonly string[], draft: LinuxDraft) => string | undefined;

const NOT_SIMULATED = "a simulated device does not have it";
/** The interface of the management network, which a lab does not have. */
const MANAGEMENT = "eth0";

/** The first of the words that begins with the abbreviation, as iproute2 finds them. */
const wordOf = <T extends string>(given: string | undefined, words: readonly T[]): T | undefined =>
  given === undefined || given === "" ? undefined : words.find((word) => word.startsWith(given));

const OBJECTS = ["address", "route", "rule", "link", "neighbour"] as const;
const SHOWS = new Set(["show", "list", "lst", "ls", "sh", "s"]);

export const ip: Perform = (given, draft) => {
  const first = given.findIndex((word) => !word.startsWith("-"));
  if (first < 0) return NOT_SIMULATED;
  const options = given.slice(0, first);
  const isV6 = options.includes("-6");
  const others = options.filter((option) => !/^-(4|6|br|brief|o|oneline|c|color|d|details|s)$/.test(option));
  if (others.length > 0) return NOT_SIMULATED;
  const [objectText, ...args] = given.slice(options.length);
  const object = wordOf(objectText, OBJECTS);
  const [verb] = args;
  const isSet = object === "link" && verb === "s";
  if (object !== undefined && (verb === undefined || (SHOWS.has(verb) && !isSet))) return undefined;
  if (object === "address") return address(args, draft);
  if (object === "route") return route(args, isV6, draft);
  if (object === "link") return link(args, draft);
  return NOT_SIMULATED;
};

function address([verbText, ...args]: readonly string[], draft: LinuxDraft): string | undefined {
  const verb = wordOf(verbText, ["add", "replace", "flush"]);
  if (verb === undefined) return NOT_SIMULATED;
  let device: string | undefined;
  let prefix: string | undefined;
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "dev") device = words.shift();
    else if (word === "brd" || word === "broadcast") words.shift();
    else if (word === "scope" && words[0] === "global") words.shift();
    else if (word === "local") prefix = words.shift();
    else if (verb === "flush" && device === undefined) device = word;
    else if (prefix === undefined) prefix = word;
    else return NOT_SIMULATED;
  }
  if (device === undefined) return "it names no device";
  if (verb === "flush")
    return prefix === undefined
      ? device === MANAGEMENT && draft.has(device) !== undefined
        ? undefined
        : draft.flushAddresses(device)
      : NOT_SIMULATED;
  return prefix === undefined ? "it names no address" : draft.addAddress(device, prefix, verb === "replace");
}

function route([verbText, ...args]: readonly string[], isV6: boolean, draft: LinuxDraft): string | undefined {
  const verb = wordOf(verbText, ["add", "change", "replace", "append", "delete", "flush"]);
  if (verb === "flush") return args[0] === "cache" ? undefined : NOT_SIMULATED;
  if (verb === undefined || verb === "change") return NOT_SIMULATED;
  let to: string | undefined;
  let via: string | undefined;
  let device: string | undefined;
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "via")
      via = words[0] === "inet" || words[0] === "inet6" ? words.splice(0, 2)[1] : words.shift();
    else if (word === "dev") device = words.shift();
    else if (word === "proto" || word === "protocol") words.shift();
    else if (word === "to") to = words.shift();
    else if (word === "onlink" && via !== undefined && draft.reaches(via)) continue;
    else if (to === undefined) to = word;
    else return NOT_SIMULATED;
  }
  const family = isV6 || (via ?? to)?.includes(":") === true;
  const network = networkOf(to, family);
  if (network === undefined) return "it names no network";
  if (verb === "delete") return draft.deleteRoute(network);
  if (via === undefined) return "a simulated device has routes with a gateway only";
  return (device === undefined ? undefined : draft.has(device)) ?? draft.addRoute(network, via, verb);
}

function networkOf(text: string | undefined, isV6: boolean): string | undefined {
  if (text === undefined) return undefined;
  if (text === "default") return isV6 ? DEFAULT_6 : DEFAULT_4;
  return text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;
}

function link([verbText, ...args]: readonly string[], draft: LinuxDraft): string | undefined {
  if (wordOf(verbText, ["set"]) === undefined) return NOT_SIMULATED;
  const [device = "", ...words] = args[0] === "dev" ? args.slice(1) : args;
  if (device === "lo") return words.join(" ") === "up" ? undefined : NOT_SIMULATED;
  // A missing interface changes nothing.
  if (words.join(" ") === "up") return undefined;
  const isManagement = device === MANAGEMENT && draft.has(device) !== undefined;
  if (isManagement) return words.join(" ") === "down" ? undefined : NOT_SIMULATED;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "mtu") setMtu(device, words.shift(), draft);
    else if (word !== "up" && word !== "dev") return NOT_SIMULATED;
  }
  return draft.has(device);
}

const setMtu = (device: string, size: string | undefined, draft: LinuxDraft): void => {
  draft.mtus.set(device, Number(size));
};

/** `ifconfig eth1 10.0.0.1 netmask 255.255.255.0 up`, `ifconfig eth1 10.0.0.1/24` */
export const ifconfig: Perform = ([device, ...args], draft) => {
  if (device === undefined || args.length === 0) return undefined;
  let host: string | undefined;
  let length: number | undefined;
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "netmask") length = prefixLength(words.shift() ?? "");
    else if (word === "broadcast") words.shift();
    else if (word === "mtu") setMtu(device, words.shift(), draft);
    else if (word === "inet6" && words[0] === "add") {
      const problem = draft.addAddress(device, words.splice(0, 2)[1] ?? "", true);
      if (problem !== undefined) return problem;
    } else if (/^[0-9.]+(\/[0-9]+)?$/.test(word) && host === undefined) host = word;
    else if (word !== "up") return NOT_SIMULATED;
  }
  if (host === undefined) return draft.has(device);
  if (!host.includes("/") && length === undefined) return "it has no netmask";
  draft.addresses.delete(device);
  return draft.addAddress(device, host.includes("/") ? host : `${host}/${length}`, true);
};

/** `route add default gw 10.0.0.1 eth1`, `route add -net 10.1.0.0 netmask 255.255.0.0 gw 10.0.0.1` */
export const routeCommand: Perform = (given, draft) => {
  const words = [...given];
  const isV6 = words[0] === "-A" && words[1] === "inet6";
  if (isV6) words.splice(0, 2);
  const verb = words.shift();
  if (verb === undefined || verb === "-n") return undefined;
  if (verb !== "add" && verb !== "del") return NOT_SIMULATED;
  let to: string | undefined;
  let via: string | undefined;
  let length: number | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "gw") via = words.shift();
    else if (word === "netmask") length = prefixLength(words.shift() ?? "");
    else if (word === "-net" || word === "-host" || word === "dev") continue;
    else if (to === undefined) to = word;
    else if (draft.has(word) !== undefined) return NOT_SIMULATED;
  }
  const network = networkOf(length === undefined ? to : `${to}/${length}`, isV6);
  if (network === undefined) return "it names no network";
  if (verb === "del") return draft.deleteRoute(network);
  return via === undefined
    ? "a simulated device has routes with a gateway only"
    : draft.addRoute(network, via, "add");
};

/** `udhcpc -i eth1`, `dhclient eth1` */
export const dhcpClient: Perform = (args, draft) => {
  const named = args.indexOf("-i");
  const device = named >= 0 ? args[named + 1] : args.find((word) => !word.startsWith("-"));
  const others = args.filter((word) => word !== device && !/^-(i|n|q|f|b|v|4|1|nw|R|S)$/.test(word));
  if (device === undefined || others.length > 0) return NOT_SIMULATED;
  draft.leased.add(device);
  return draft.has(device);
};
