import { encodeArp } from "@wirelab/engine/wire/arp";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { summarize } from "@wirelab/lab/report/show-packet";
import { describe, expect, test } from "vitest";

const [A, B] = [0x0a00_0001, 0x0a00_0002];
const datagram = (targetPort: number, bytes: number): Uint8Array => {
  const udp = encodeUdp4(A, B, { sourcePort: 68, targetPort, data: new Uint8Array(bytes) });
  return encodeEthernet(2, 1, 0x0800, encodeIpv4({ source: A, target: B, protocol: 17 }, udp)[0]!);
};

describe("the line of a packet that cannot be decoded", () => {
  test("states what is missing", () => {
    const arp = encodeArp(2, 1, { opcode: 1, senderMac: 1, senderIp: A, targetMac: 0, targetIp: B });
    expect(summarize(arp.subarray(0, 34))).toBe(
      "00:00:00:00:00:01 > 00:00:00:00:00:02 ARP malformed: ARP takes 28 bytes, 20 are there",
    );
  });

  test("states why a datagram is not what its port promises", () => {
    expect(summarize(datagram(67, 20))).toBe(
      "10.0.0.1 > 10.0.0.2 UDP 68 -> 67 len=20 (DHCP takes 240 bytes, 20 are there)",
    );
  });
});
