/** The words of `ip ADDRESS [MASK] [GATEWAY]`, mask and gateway in any order. */
import { maskOf, prefixLengthOf, sameSubnet } from "../../../wire/ipv4-address.ts";
import { parseShortIpv4 } from "./short-ipv4.ts";

export interface AddressRequest {
  readonly address: number;
  readonly prefixLength: number;
  /** 0 if there is none. */
  readonly gateway: number;
}

/** The meaning of one word; `null` stands for text that is not an address. */
interface Part {
  readonly prefixLength?: number;
  readonly gateway?: number | null;
  readonly mask?: number | null;
}

interface Refusal {
  readonly error: string;
}

const DEFAULT_PREFIX_LENGTH = 24;
/** The default prefix length replaces a longer one, or 0. */
const PREFIX_LENGTH_MAX = 30;
const GATEWAY_MIN_CHARACTERS = 7;
const GATEWAY_MAX_CHARACTERS = 15;

const refuse = (error: string): Refusal => ({ error });

/** Returns the parsed request, or the error text. */
export function parseAddressRequest([first = "", ...rest]: readonly string[]): AddressRequest | Refusal {
  const parts = rest.map(parsePart);
  if (parts.includes(undefined)) return refuse("Invalid options");
  const given: Part = Object.assign({}, ...parts);
  const address = parseShortIpv4(first);
  if (address === null || !isUnicast(address) || given.gateway === null || given.mask === null)
    return refuse("Invalid address");
  if (given.prefixLength === undefined && given.mask !== undefined) return refuse("Invalid mask");
  return checked(address, given.prefixLength ?? DEFAULT_PREFIX_LENGTH, given.gateway);
}

/** Identifies a word by its shape; returns undefined if no shape matches. */
function parsePart(word: string): Part | undefined {
  if (/^\d{1,2}$/.test(word)) return { prefixLength: honoured(Number(word)) };
  if (/^255\..{5,}$/.test(word)) return parseMask(word);
  if (word.length < GATEWAY_MIN_CHARACTERS || word.length > GATEWAY_MAX_CHARACTERS) return undefined;
  return { gateway: parseShortIpv4(word) };
}

/** Returns no prefix length if the mask's ones are not contiguous. */
function parseMask(word: string): Part {
  const mask = parseShortIpv4(word);
  const prefixLength = mask === null ? null : prefixLengthOf(mask);
  return prefixLength === null ? { mask } : { mask, prefixLength: honoured(prefixLength) };
}

const honoured = (prefixLength: number): number =>
  prefixLength >= 1 && prefixLength <= PREFIX_LENGTH_MAX ? prefixLength : DEFAULT_PREFIX_LENGTH;

/** Whether an address is neither unspecified, loopback, multicast nor in 255.0.0.0/8. */
function isUnicast(address: number): boolean {
  const first = address >>> 24;
  return address !== 0 && first !== 127 && first !== 255 && (first < 224 || first > 239);
}

function checked(
  address: number,
  prefixLength: number,
  gateway: number | undefined,
): AddressRequest | Refusal {
  const mask = maskOf(prefixLength);
  if (gateway === address) return refuse("Invalid address");
  if (!isHost(address, mask)) return refuse("Invalid host address");
  if (gateway === undefined) return { address, prefixLength, gateway: 0 };
  if (!isHost(gateway, mask)) return refuse("Invalid gateway address");
  return sameSubnet(address, gateway, mask) ? { address, prefixLength, gateway } : refuse("not same subnet");
}

/** Whether the host part is neither all zeros nor all ones. */
function isHost(address: number, mask: number): boolean {
  const hostPart = (address & ~mask) >>> 0;
  return hostPart !== 0 && hostPart !== ~mask >>> 0;
}
