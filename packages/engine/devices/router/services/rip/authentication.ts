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
} from "../../../../wire/rip-authentication.ts";
import { bytesOfKey, type RipAuthentication, type RipKey } from "./authentication-settings.ts";

/** The last sequence number of a router's messages with a key, and how long ago it came; older states do not have the time. */
export type HeardSequence = readonly [address: number, keyId: number, sequence: number, agoUs?: number];

interface Heard {
  readonly address: number;
  readonly keyId: number;
  readonly sequence: number;
  readonly atUs: number;
}

export interface SavedAuthentication {
  readonly sent: number;
  readonly heard: readonly HeardSequence[];
}

/** Maximum per router; a forger without the key makes none. */
const MAX_HEARD = 256;

type OfPort = RipAuthentication | undefined;

export class Authenticator {
  #sent: number;
  readonly #heard = new Map<string, Heard>();

  constructor(nowUs: number, { sent, heard }: SavedAuthentication = { sent: 0, heard: [] }) {
    this.#sent = sent;
    for (const [address, keyId, sequence, agoUs = 0] of heard)
      this.#heard.set(nameOf(address, keyId), { address, keyId, sequence, atUs: nowUs - agoUs });
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
  check(message: Uint8Array, of: OfPort, source: number, nowUs: number): Uint8Array | undefined {
    if (of === undefined) return message;
    if (of.mode === "text") return checkPassword(message, of.keys.map(bytesOfKey));
    const authentic = checkDigest(message, of.mode, of.keys.map(toDigestKey));
    return authentic && this.#isNew(authentic, source, nowUs) ? authentic.message : undefined;
  }

  /** Undefined if there is nothing to keep. */
  save(nowUs: number): SavedAuthentication | undefined {
    if (this.#sent === 0 && this.#heard.size === 0) return undefined;
    const heard = [...this.#heard.values()].map(
      ({ address, keyId, sequence, atUs }): HeardSequence => [address, keyId, sequence, nowUs - atUs],
    );
    return { sent: this.#sent, heard };
  }

  /**
   * Routers whose routes have timed out begin again (RFC 4822, section 4.2.2). Messages that were refused do not count: otherwise a
   * router that restarts with low numbers, and keeps sending, would be refused forever.
   */
  forget(beforeUs: number): void {
    for (const [name, { atUs }] of this.#heard) if (atUs <= beforeUs) this.#heard.delete(name);
  }

  /** Equal numbers are allowed: some implementations count seconds. */
  #isNew({ keyId, sequence }: Authentic, address: number, nowUs: number): boolean {
    const name = nameOf(address, keyId);
    const before = this.#heard.get(name);
    if (before !== undefined && sequence < before.sequence) return false;
    if (before !== undefined || this.#heard.size < MAX_HEARD)
      this.#heard.set(name, { address, keyId, sequence, atUs: nowUs });
    return true;
  }
}

const nameOf = (address: number, keyId: number): string => `${address} ${keyId}`;
const toDigestKey = (key: RipKey) => ({ id: key.id, key: bytesOfKey(key) });
