/** Frames to a router. */
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { ip } from "../probe.ts";
import type { Flow } from "./packets.ts";

export const frameOf = (
  target: number,
  source: number,
  { from, to }: Pick<Flow, "from" | "to">,
  [protocol, payload]: readonly [number, Uint8Array],
): Uint8Array =>
  encodeEthernet(
    target,
    source,
    0x0800,
    encodeIpv4({ source: ip(from), target: ip(to), protocol }, payload)[0]!,
  );
