/** The words of `ip ADDRESS [MASK] [GATEWAY]`, mask and gateway in any order. */
import { maskOf, prefixLengthOf, sameSubnet } from "../../../wire/ipv4-address.ts";
import { parseShortIpv4 } from "./short-ipv4.ts";

export interface AddressRequest {
  readonly address: number;
  readonly prefixLength: number;
  /** 0 for none. */
  readonly gateway: number;
}

/** What a word adds; a null address for text that is none. */
interface Part {
  readonly prefixLength?: number;
  readonly gateway?: number | null;
  readonly mask?: number | null;
}

interface Refusal {
  readonly error: string;
}

const DEFAULT_PREFIX_LENGTH = 24;
/** Longer ones, and 0, stand for the default one. */
const PREFIX_LENGTH_MAX = 30;
const GATEWAY_MIN_CHARACTERS = 7;
const GATEWAY_MAX_CHARACTERS = 15;

const refuse = (error: string): Refusal => ({ error });

/** What is asked for, or the text of what is wrong with it. */
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

/** Known by its shape; undefined for one that has none of them. */
function parsePart(word: string): Part | undefined {
  if (/^\d{1,2}$/.test(word)) return { prefixLength: honoured(Number(word)) };
  if (/^255\..{5,}$/.test(word)) return parseMask(word);
  if (word.length < GATEWAY_MIN_CHARACTERS || word.length > GATEWAY_MAX_CHARACTERS) return undefined;
  return { gateway: parseShortIpv4(word) };
}

/** Without a prefix length where its ones are not contiguous. */
function parseMask(word: string): Part {
  const mask = parseShortIpv4(word);
  const prefixLength = mask === null ? null : prefixLengthOf(mask);
  return prefixLength === null ? { mask } : { mask, prefixLength: honoured(prefixLength) };
}

const honoured = (prefixLength: number): number =>
  prefixLength >= 1 && prefixLength <= PREFIX_LENGTH_MAX ? prefixLength : DEFAULT_PREFIX_LENGTH;

/** Not unspecified, loopback, multicast, or beginning with 255. */
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

/** The host part is neither all zeros nor all ones. */
function isHost(address: number, mask: number): boolean {
  const hostPart = (address & ~mask) >>> 0;
  return hostPart !== 0 && hostPart !== ~mask >>> 0;
}
