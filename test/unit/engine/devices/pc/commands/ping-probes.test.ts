import { expect, test } from "vitest";
import type { Ping } from "../../../../../../functions/engine/devices/pc/commands/ping-packets.ts";
import { makeProbe } from "../../../../../../functions/engine/devices/pc/commands/ping-probes.ts";
import { parsePingWords } from "../../../../../../functions/engine/devices/pc/commands/ping-words.ts";
import type { Host, ReceivedIpv4 } from "../../../../../../functions/engine/devices/pc/host.ts";
import { echoSequence, encodeIcmp } from "../../../../../../functions/engine/wire/icmp.ts";
import { PROTOCOL_ICMP } from "../../../../../../functions/engine/wire/ipv4.ts";

test("sequence numbers on the wire go from 65535 to 0, and their replies are found", () => {
  const ping = { host: { clockSeconds: 1 } as Host, target: 7, options: parsePingWords([])! } as Ping;
  const probe = makeProbe(ping);
  const reply = (sequence: number) =>
    ({
      header: { protocol: PROTOCOL_ICMP, source: 7 },
      payload: encodeIcmp(0, 0, sequence, new Uint8Array()),
    }) as unknown as ReceivedIpv4;
  for (const [sequence, onWire] of [
    [65_535, 65_535],
    [65_536, 0],
    [65_537, 1],
  ] as const) {
    expect(echoSequence(probe.payload(sequence))).toBe(onWire);
    expect(probe.isReply(reply(onWire), sequence)).toBe(true);
    expect(probe.isReply(reply(onWire + 1), sequence)).toBe(false);
  }
});
