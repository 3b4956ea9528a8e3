import { ETHERTYPE_IPV4, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { expect, it } from "vitest";
import { Server } from "../../../../../packages/engine/devices/server/index.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { B, SERVER_MAC, serverSpec } from "../../../../helpers/engine/server-bench.ts";

const OWN = parseIpv4("10.0.0.2")!;
const PEER = parseIpv4("192.0.2.9")!;
const PROTOCOL_ICMP = 1;

/** What a server keeps after an error about a packet. */
function afterError(mtuBytes: number, { source = OWN, protocol = PROTOCOL_ICMP, quoted = 28 } = {}) {
  const bench = new DeviceBench();
  let server: Server | undefined;
  bench
    .add("B", (world) => {
      server = new Server(serverSpec("B", 2, B), world);
      return server;
    })
    .start();
  const [packet] = encodeIpv4({ source, target: PEER, protocol }, new Uint8Array(8));
  const error = encodeIcmp(3, 4, mtuBytes, packet!.subarray(0, quoted));
  const [carrier] = encodeIpv4(
    { source: parseIpv4("10.0.0.254")!, target: OWN, protocol: PROTOCOL_ICMP },
    error,
  );
  bench.inject("B", 0, encodeEthernet(SERVER_MAC + 2, 0x0200_0000_0001, ETHERTYPE_IPV4, carrier!));
  bench.run();
  return server!.saveState().pathMtus?.map(({ target, mtuBytes: bytes }) => [target, bytes]);
}

it("a server notes the path MTU of a target, at least 552 bytes", () => {
  expect(afterError(1_400)).toEqual([[PEER, 1_400]]);
  expect(afterError(0)).toEqual([[PEER, 552]]);
});

it.each([
  ["that is not smaller than its own link's", afterError(1_500)],
  ["about a packet of another host", afterError(1_400, { source: PEER })],
  ["about a connection that there is not", afterError(1_400, { protocol: 6 })],
  ["that quotes too little", afterError(1_400, { quoted: 20 })],
])("a server notes nothing of an error %s", (_what, kept) => expect(kept).toBeUndefined());
