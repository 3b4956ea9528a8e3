/**
 * Authentication of RIP at the ports that have it (RFC 2453, section 4.1; RFC 2082; RFC 4822): messages without it, or with another key, are
 * refused; and those with a digest, too, that are older than the last one of their sender.
 */
import {
  type Authentic,
  addDigest,
  addPassword,
  checkDigest,
  checkPassword,
} from "../../../wire/rip-authentication.ts";
import { bytesOfKey, type RipAuthentication, type RipKey } from "./authentication-settings.ts";

/** The last sequence number of a router's messages with a key. */
export type HeardSequence = readonly [address: number, keyId: number, sequence: number];

export interface SavedAuthentication {
  readonly sent: number;
  readonly heard: readonly HeardSequence[];
}

/** Maximum per router; a forger without the key makes none. */
const MAX_HEARD = 256;

type OfPort = RipAuthentication | undefined;

export class Authenticator {
  #sent: number;
  readonly #heard: Map<string, HeardSequence>;

  constructor({ sent, heard }: SavedAuthentication = { sent: 0, heard: [] }) {
    this.#sent = sent;
    this.#heard = new Map(heard.map((each) => [nameOf(each[0], each[1]), each]));
  }

  /** Adds to a message what a port's neighbours require. The first key is the one that is sent. */
  add(message: Uint8Array, of: OfPort, nowUs: number): Uint8Array {
    const [key] = of?.keys ?? [];
    if (of === undefined || key === undefined) return message;
    if (of.mode === "text") return addPassword(message, bytesOfKey(key));
    // Seconds, so that a router that was off continues where its neighbours expect it.
    this.#sent = Math.max(this.#sent + 1, Math.floor(nowUs / 1_000_000)) % 2 ** 32;
    return addDigest(message, of.mode, toDigestKey(key), this.#sent);
  }

  /** @returns the message without its authentication; undefined if it is not authentic. */
  check(message: Uint8Array, of: OfPort, source: number): Uint8Array | undefined {
    if (of === undefined) return message;
    if (of.mode === "text") return checkPassword(message, of.keys.map(bytesOfKey));
    const authentic = checkDigest(message, of.mode, of.keys.map(toDigestKey));
    return authentic && this.#isNew(authentic, source) ? authentic.message : undefined;
  }

  /** Undefined if there is nothing to keep. */
  save(): SavedAuthentication | undefined {
    if (this.#sent === 0 && this.#heard.size === 0) return undefined;
    return { sent: this.#sent, heard: [...this.#heard.values()] };
  }

  /** Routers that were silent until their routes timed out begin again (RFC 4822, section 4.2.2). */
  forget(silent: readonly number[]): void {
    for (const [name, [address]] of this.#heard) if (silent.includes(address)) this.#heard.delete(name);
  }

  /** Equal numbers are allowed: some implementations count seconds. */
  #isNew({ keyId, sequence }: Authentic, source: number): boolean {
    const name = nameOf(source, keyId);
    const before = this.#heard.get(name);
    if (before !== undefined && sequence < before[2]) return false;
    if (before !== undefined || this.#heard.size < MAX_HEARD)
      this.#heard.set(name, [source, keyId, sequence]);
    return true;
  }
}

const nameOf = (address: number, keyId: number): string => `${address} ${keyId}`;
const toDigestKey = (key: RipKey) => ({ id: key.id, key: bytesOfKey(key) });
