/** The name servers of a PC, of both families, each as a function that queries the server. */
import { PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { parseIpv6 } from "../../../wire/ipv6-address.ts";
import { decodeUdp, encodeUdp, encodeUdp4, type Udp } from "../../../wire/udp.ts";
import type { Host, Received, Script } from "../host.ts";
import { resolveIpv6 } from "../ipv6/neighbours.ts";
import { sourceFor } from "../ipv6/send.ts";
import { type Notes, once, pause, sub } from "../notes.ts";

const ANSWER_US = 1_000_000;

/** Decodes the data of an answer; returns undefined if the data is not one. */
type Read<T> = (data: Uint8Array) => T | undefined;

/** Sends a datagram to one server and waits a second for data that `read` accepts; returns undefined after that. */
export type Ask = <T>(udp: Udp, read: Read<T>, notes: Notes) => Script<T | undefined>;

/** Returns the servers in the order in which the PC asks them. */
export function dnsServers(host: Host): (number | bigint)[] {
  const { dns, ipv6 } = host.state;
  const servers6 = ipv6.dns.map((text) => parseIpv6(text)).filter((address) => address !== null);
  return [...dns.filter((address) => address !== 0), ...servers6];
}

export const askServer = (host: Host, server: number | bigint): Ask =>
  typeof server === "number" ? askIpv4(host, server) : askIpv6(host, server);

const askIpv4 = (host: Host, server: number): Ask =>
  function* (udp, read, notes) {
    const hop = once(notes, "hop", () => host.nextHop(server));
    if (hop === undefined) return undefined;
    const targetMac = yield* sub(notes, "mac", (own) => host.resolve(hop, own));
    if (targetMac === undefined) return undefined;
    const source = once(notes, "source", () => host.state.ipv4.address);
    once(notes, "sent", () =>
      host.sendIpv4(
        targetMac,
        { source, target: server, protocol: PROTOCOL_UDP, id: host.clockSeconds & 0xffff },
        encodeUdp4(source, server, udp),
      ),
    );
    const comesBack = (packet: Received): boolean =>
      packet.kind === "ipv4" && packet.header.source === server && packet.header.target === source;
    return yield* waitFor(udp, read, comesBack, notes);
  };

const askIpv6 = (host: Host, server: bigint): Ask =>
  function* (udp, read, notes) {
    const targetMac = yield* sub(notes, "mac", (own) => resolveIpv6(host, server, own));
    if (targetMac === undefined) return undefined;
    const source = once(notes, "source", () => sourceFor(host, server));
    once(notes, "sent", () =>
      host.sendIpv6(targetMac, { source, target: server, nextHeader: PROTOCOL_UDP }, encodeUdp(udp, 0)),
    );
    const comesBack = (packet: Received): boolean =>
      packet.kind === "ipv6" && packet.header.source === server && packet.header.target === source;
    return yield* waitFor(udp, read, comesBack, notes);
  };

function* waitFor<T>(
  udp: Udp,
  read: Read<T>,
  comesBack: (packet: Received) => boolean,
  notes: Notes,
): Script<T | undefined> {
  const readPacket = (packet: Received): T | undefined => {
    const data = comesBack(packet) ? answerTo(udp, packet) : undefined;
    return data && read(data);
  };
  const accept = (each: Received): boolean => readPacket(each) !== undefined;
  const packet = yield* pause(notes, "answer", { timeoutUs: ANSWER_US, accept });
  return packet && readPacket(packet);
}

/** Returns the data of a UDP packet that answers `udp`; undefined for any other packet. */
function answerTo({ sourcePort, targetPort }: Udp, packet: Received): Uint8Array | undefined {
  if (packet.kind === "arp") return undefined;
  const { header } = packet;
  if (("protocol" in header ? header.protocol : header.nextHeader) !== PROTOCOL_UDP) return undefined;
  const answer = decodeUdp(packet.payload);
  return answer?.sourcePort === targetPort && answer.targetPort === sourcePort ? answer.data : undefined;
}
