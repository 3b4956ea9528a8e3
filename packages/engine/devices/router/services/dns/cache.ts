/** Answers of other servers, for as long as their records live (RFC 1035, section 3.2.1; RFC 2308 for names that do not exist). */

import { RCODE_NO_SUCH_NAME, RCODE_OK } from "../../../../wire/dns.ts";
import type { DnsResponse, ServerQuestion, StoredRecord } from "../../../../wire/dns-exchange.ts";

/** Maximum per router, which bounds the size of its item in the store. The oldest answer makes room. */
export const MAX_CACHED_ANSWERS = 256;
/** A day: longer lives are cut. */
const MAX_LIFE_SECONDS = 86_400;
/** RFC 2308, section 5: one to three hours are sensible for names that do not exist. */
const MAX_NEGATIVE_SECONDS = 10_800;
const MAX_RECORDS = 16;
const SECOND_US = 1_000_000;

/** Plain JSON data. */
export interface CachedAnswer {
  /** In lower case. */
  readonly name: string;
  readonly type: number;
  readonly rcode: number;
  readonly answers: readonly StoredRecord[];
  readonly storedUs: number;
  readonly expiresUs: number;
}

/** What the server keeps between runs. */
export interface SavedDns {
  readonly cache: readonly CachedAnswer[];
}

const keyOf = ({ name, type }: { name: string; type: number }): string => `${type} ${name.toLowerCase()}`;

export class DnsCache {
  readonly #answers = new Map<string, CachedAnswer>();

  constructor(answers: readonly CachedAnswer[] = []) {
    for (const answer of answers) this.#answers.set(keyOf(answer), answer);
  }

  /** @returns the answer, with what is left of the lives of its records. */
  find(question: Pick<ServerQuestion, "name" | "type">, nowUs: number): CachedAnswer | undefined {
    const found = this.#answers.get(keyOf(question));
    if (found === undefined || found.expiresUs <= nowUs) return undefined;
    const pastSeconds = Math.max(0, Math.floor((nowUs - found.storedUs) / SECOND_US));
    const answers = found.answers.map((each) => ({ ...each, ttlSeconds: each.ttlSeconds - pastSeconds }));
    return { ...found, answers };
  }

  /** Stores a response that may be stored. */
  add({ name, type }: ServerQuestion, response: DnsResponse, nowUs: number): void {
    const life = lifeSeconds(response);
    if (life <= 0) return;
    const { rcode, answers = [] } = response;
    const key = keyOf({ name, type });
    this.#answers.delete(key);
    this.#makeRoom(nowUs);
    const times = { storedUs: nowUs, expiresUs: nowUs + life * SECOND_US };
    this.#answers.set(key, { name: name.toLowerCase(), type, rcode, answers, ...times });
  }

  freeze(): ReadonlyMap<string, CachedAnswer> {
    return this.#answers;
  }

  thaw(answers: ReadonlyMap<string, CachedAnswer>): void {
    this.#answers.clear();
    for (const [key, answer] of answers) this.#answers.set(key, answer);
  }

  clear(): void {
    this.#answers.clear();
  }

  list(nowUs: number): CachedAnswer[] {
    return [...this.#answers.values()].filter(({ expiresUs }) => expiresUs > nowUs);
  }

  #makeRoom(nowUs: number): void {
    for (const [key, { expiresUs }] of this.#answers) if (expiresUs <= nowUs) this.#answers.delete(key);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= MAX_CACHED_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
  }
}

/** 0 if the response is not stored: an error, or with records of types that are not stored. */
function lifeSeconds({ rcode, answers, negativeSeconds = 0 }: DnsResponse): number {
  if (answers === undefined || answers.length > MAX_RECORDS || answers.some(isEscaped)) return 0;
  const lives = answers.map(({ ttlSeconds }) => ttlSeconds);
  const isNegative = rcode === RCODE_NO_SUCH_NAME || answers.length === 0;
  if (isNegative) lives.push(Math.min(negativeSeconds, MAX_NEGATIVE_SECONDS));
  return rcode === RCODE_OK || isNegative ? Math.min(MAX_LIFE_SECONDS, ...lives) : 0;
}

/** Whether a name has bytes that are no characters of names: the answer is passed on as it came, and not stored. */
export const isEscaped = ({ name, value }: StoredRecord): boolean =>
  name.includes("\\") || value.includes("\\");

declare module "../base/service.ts" {
  interface SavedServices {
    readonly dns?: SavedDns;
  }
}
