/** TCP over IPv4: sends the server's answers, with the IP id and the DF bit of the segment they answer. */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { decodeTcp, encodeTcp4 } from "../../../wire/tcp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { Answers } from "./answers.ts";
import { serveTcp } from "./tcp-server.ts";

export function answerTcp(host: Host, answers: Answers, packet: ReceivedIpv4): void {
  const { header, payload } = packet;
  const tcp = decodeTcp(payload);
  if (tcp === null) return;
  const { source: target, target: source, id, dontFragment, protocol } = header;
  for (const segment of serveTcp(host, formatIpv4(target), tcp)) {
    const fields = { source, target, protocol, id, dontFragment };
    answers.to(packet, { fields, payload: encodeTcp4(source, target, segment) });
  }
}
