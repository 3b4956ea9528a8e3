import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";

/** The address that a test names. */
export const ip = (text: string): number => parseIpv4(text)!;
