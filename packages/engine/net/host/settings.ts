/** The settings of a host. `docs/devices/server.md` lists them. */
import { anyAddress } from "../../settings/addresses.ts";
import { list } from "../../settings/collections.ts";
import { flag, integer, type Kind, text, unspoken, type ValueOf } from "../../settings/kind.ts";
import type { PropertyReader } from "../../settings/property-reader.ts";
import { type DraftOf, optional, required, setting } from "../../settings/shape.ts";
import { record } from "../../settings/words.ts";
import { DNS_A, encodeDnsQuery } from "../../wire/dns.ts";
import { ADDRESSED } from "../plane/addressed.ts";
import { algorithm, DEFAULT_TCP, tcp } from "../tcp/settings.ts";
import { entriesOf, files } from "./files.ts";

export const HTTP_PORT = 80;
/** iperf's port. */
export const SINK_PORT = 5_001;
const MAX_NAMES = 256;
const MAX_ADDRESSES_OF_NAME = 8;
const MAX_SENDS = 16;
export const MAX_SEND_BYTES = 1_000_000_000_000;
export const MAX_SEND_SECONDS = 86_400;

const tcpPort = integer(1, 65_535);

const sinkObject = record({ port: setting(tcpPort, SINK_PORT) });
const sink = unspoken<number | undefined>(
  (reader, value, path) => {
    if (value === false) return undefined;
    return value === true ? SINK_PORT : (sinkObject.read(reader, value, path, undefined)?.port ?? null);
  },
  () => ({ anyOf: [{ type: "boolean" }, sinkObject.schema()] }),
  (port) => port === SINK_PORT || { port },
);

const http = record({
  port: setting(tcpPort, HTTP_PORT),
  files: setting(files, {}, { about: "bodies by path" }),
});
export type HttpConfig = ValueOf<typeof http>;

const addresses = list(anyAddress, { min: 1, max: MAX_ADDRESSES_OF_NAME, takesOne: true });
const names = unspoken<Readonly<Record<string, readonly string[]>>>(
  (reader, value, path) => {
    const found: Record<string, readonly string[]> = {};
    for (const [name, given] of entriesOf(reader, value, path, MAX_NAMES)) {
      const at = [...path, name];
      if (encodeDnsQuery(0, name, DNS_A) === null) reader.add(at, "is not a domain name");
      found[name.toLowerCase()] = addresses.read(reader, given, at, undefined) ?? [];
    }
    return found;
  },
  () => ({ type: "object", additionalProperties: addresses.schema(), maxProperties: MAX_NAMES }),
);

const SEND = {
  to: required(anyAddress),
  port: setting(tcpPort, SINK_PORT),
  bytes: optional(integer(1, MAX_SEND_BYTES)),
  seconds: optional(integer(1, MAX_SEND_SECONDS)),
  congestion: optional(algorithm),
  after: setting(integer(0, MAX_SEND_SECONDS), 0, { about: "seconds", name: "afterSeconds" }),
} as const;
const send = record<unknown, typeof SEND>(SEND, ({ bytes, seconds }, reader, path) => {
  if ((bytes === undefined) === (seconds === undefined)) reader.add(path, "needs either bytes or seconds");
});
/** Bulk data to send after power-on: a number of bytes, or for a time. */
export type SendOrder = ValueOf<typeof send>;
const orders = list(send, { max: MAX_SENDS });
/** One order may stand without a list. */
const sends: Kind<readonly SendOrder[]> = {
  ...orders,
  read(reader, value, path, context) {
    if (Array.isArray(value)) return orders.read(reader, value, path, context);
    const one = send.read(reader, value, path, context);
    return one && [one];
  },
  schema: () => ({ anyOf: [send.schema(), orders.schema()] }),
};

/** The rules of a router's port and its routes hold for these: `properties.ts`. */
export const NETWORK = {
  ipv4: ADDRESSED.ipv4,
  ipv6: ADDRESSED.ipv6,
  gateway: optional(text("ADDR"), { about: "the router to other networks" }),
  gateway6: optional(text("ADDR"), { about: "the same for IPv6" }),
  mtu: ADDRESSED.mtu,
} as const;

export const SERVICES = {
  tcp: setting(tcp, DEFAULT_TCP),
  echo: setting(flag, true, { about: "whether TCP and UDP are echoed at port 7" }),
  sink: setting(sink, SINK_PORT, {
    about: "the TCP port whose data are counted and discarded",
    name: "sinkPort",
  }),
  http: optional(http, { about: "a server of HTTP" }),
  dns: optional(names, { about: "addresses by name", name: "names" }),
  ntp: setting(flag, false, { about: "whether NTP reports the lab's time" }),
  send: setting(sends, [], { about: "bulk data at power-on, in bytes or for seconds", name: "sends" }),
} as const;

/** Two services cannot have one TCP port. */
export function checkPorts({ echo, sinkPort, http }: DraftOf<typeof SERVICES>, reader: PropertyReader): void {
  const taken = new Map<number, string>(echo ? [[7, "echo"]] : []);
  for (const [name, port] of [
    ["sink", sinkPort],
    ["http", http?.port],
  ] as const) {
    if (port == null) continue;
    const other = taken.get(port);
    if (other !== undefined) reader.add([name, "port"], `is the port of ${other}: ${port}`);
    taken.set(port, name);
  }
}
