import { decodeArp } from "@wirelab/engine/wire/arp";
import { etherType, targetMac } from "@wirelab/engine/wire/ethernet";
import { echoSequence, encodeEcho } from "@wirelab/engine/wire/icmp";
import { PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, test } from "vitest";
import { encodeTcp4, TCP_SYN } from "../../../../../../packages/engine/wire/tcp.ts";
import {
  A_IP,
  arpReply,
  B_IP,
  B_MAC,
  counting,
  FAR_IP,
  GATEWAY_IP,
  GATEWAY_MAC,
  ipv4Frame,
  LonePc,
} from "./bare-pc.ts";

/** An echo request from another subnet, which any router of the link may forward. */
const farEcho = (sequence = 1): Uint8Array =>
  ipv4Frame({ protocol: PROTOCOL_ICMP, source: FAR_IP }, encodeEcho(1, sequence, counting(4)));

const EMPTY = new Uint8Array();
const FAR_UDP = encodeUdp4(FAR_IP, A_IP, { sourcePort: 4000, targetPort: 9, data: counting(9) });
const FAR_SYN = encodeTcp4(FAR_IP, A_IP, {
  sourcePort: 4000,
  targetPort: 80,
  sequence: 5,
  acknowledgement: 0,
  flags: TCP_SYN,
  window: 100,
  options: EMPTY,
  data: EMPTY,
});

function behindGateway(): LonePc {
  const lone = new LonePc();
  lone.state.ipv4.gateway = GATEWAY_IP;
  return lone;
}

const withoutArp = (frames: readonly Uint8Array[]): Uint8Array[] =>
  frames.filter((frame) => etherType(frame) !== 0x0806);

describe("where answers go", () => {
  test("a neighbour is answered at the MAC it sent from, without ARP", () => {
    const lone = new LonePc();
    lone.hear(arpReply(B_IP, GATEWAY_MAC));
    const frame = ipv4Frame({ protocol: PROTOCOL_ICMP }, encodeEcho(1, 1, counting(4)));
    expect(lone.hear(frame).map(targetMac)).toEqual([B_MAC]);
  });

  test.each([
    ["echo", PROTOCOL_ICMP, encodeEcho(1, 1, counting(4)), 64],
    ["UDP", PROTOCOL_UDP, FAR_UDP, 64],
    ["the last probe of a trace", PROTOCOL_UDP, FAR_UDP, 1],
    ["TCP", PROTOCOL_TCP, FAR_SYN, 64],
  ])("the answer to %s from another subnet goes to a known gateway", (_title, protocol, payload, ttl) => {
    const lone = behindGateway();
    lone.hear(arpReply(GATEWAY_IP, GATEWAY_MAC));
    const frame = ipv4Frame({ protocol, source: FAR_IP, ttl }, payload);
    expect(lone.hear(frame).map(targetMac)).toEqual([GATEWAY_MAC]);
  });

  test("the PC resolves an unknown gateway once for all answers, which keep their order", () => {
    const lone = behindGateway();
    const asked = lone.hearNow(farEcho(1), farEcho(2), farEcho(3));
    expect(asked.map((frame) => decodeArp(frame)?.targetIp)).toEqual([GATEWAY_IP]);
    const replies = lone.hear(arpReply(GATEWAY_IP, GATEWAY_MAC));
    expect(replies.map((frame) => echoSequence(frame.subarray(34)))).toEqual([1, 2, 3]);
    expect(replies.every((frame) => targetMac(frame) === GATEWAY_MAC)).toBe(true);
  });

  test("the PC asks three times for a silent gateway, then drops the answers", () => {
    const lone = behindGateway();
    const sent = lone.hear(farEcho());
    expect(sent.map((frame) => decodeArp(frame)?.targetIp)).toEqual([GATEWAY_IP, GATEWAY_IP, GATEWAY_IP]);
    expect(lone.bench.nowUs).toBe(3_000_000);
    expect(withoutArp(lone.hear(arpReply(GATEWAY_IP, GATEWAY_MAC)))).toEqual([]);
    expect(withoutArp(lone.hear(farEcho()))).toHaveLength(1);
  });

  test("at most 64 answers wait for the gateway", () => {
    const lone = behindGateway();
    lone.hearNow(...Array.from({ length: 100 }, (_, sequence) => farEcho(sequence)));
    expect(lone.hear(arpReply(GATEWAY_IP, GATEWAY_MAC))).toHaveLength(64);
  });

  test("without a gateway a sender from another subnet gets no answer", () => {
    expect(new LonePc().hear(farEcho())).toEqual([]);
  });
});
