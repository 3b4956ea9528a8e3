import { echoSequence, encodeIcmp } from "@wirelab/engine/wire/icmp";
import { PROTOCOL_ICMP } from "@wirelab/engine/wire/ipv4";
import { expect, test } from "vitest";
import type { Ping } from "../../../../../../packages/engine/devices/pc/commands/ping-packets.ts";
import { makeProbe } from "../../../../../../packages/engine/devices/pc/commands/ping-probes.ts";
import { parsePingWords } from "../../../../../../packages/engine/devices/pc/commands/ping-words.ts";
import type { Host, ReceivedIpv4 } from "../../../../../../packages/engine/devices/pc/host.ts";

test("sequence numbers on the wire wrap from 65535 to 0, and replies still match", () => {
  const ping = { host: { clockSeconds: 1 } as Host, target: 7, options: parsePingWords([])! } as Ping;
  const probe = makeProbe(ping, {});
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
