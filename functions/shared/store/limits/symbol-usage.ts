/**
 * Counts symbols and their bytes: an item for the service and one for each user who uploaded some, written with the symbols.
 * All users see all symbols; a symbol counts for the user who uploaded it last.
 */
import { failureOf } from "../../edge/errors.ts";
import { SYMBOL_ERRORS } from "../../edge/own-errors/symbol.ts";
import type { Transaction } from "../base/transact.ts";
import { type Counter, countStep, readCounter } from "./counter.ts";
import { type Quota, quota } from "./quota.ts";

interface SymbolUsage {
  readonly symbol_count: number;
  readonly symbol_bytes: number;
}
type Figure = keyof SymbolUsage;

/** A change of the counters of a symbol. It has no user if the upload was anonymous, or by a release without owners. */
export interface CountedSymbol {
  readonly owner?: string | undefined;
  readonly size_bytes: number;
}

/** A change of the counter of a user, or of the service when there is no user; negative values subtract. */
export interface SymbolChange {
  readonly user?: string;
  readonly added: SymbolUsage;
}

const counterOf = ({ user }: SymbolChange): Counter =>
  user === undefined ? { pk: "SYMBOLS", sk: "USAGE#SYMBOLS" } : { pk: `USAGE#${user}`, sk: "SYMBOLS" };

const SERVICE_LIMITS = {
  symbol_count: { quota: "quota_symbols", refusal: "quota.symbols" },
  symbol_bytes: { quota: "quota_symbol_bytes", refusal: "quota.symbol-bytes" },
} as const satisfies Record<Figure, { quota: Quota; refusal: keyof typeof SYMBOL_ERRORS }>;
const USER_LIMITS = {
  symbol_count: { quota: "quota_user_symbols", refusal: "quota.user-symbols" },
  symbol_bytes: { quota: "quota_user_symbol_bytes", refusal: "quota.user-symbol-bytes" },
} as const satisfies Record<Figure, { quota: Quota; refusal: keyof typeof SYMBOL_ERRORS }>;

const usageOf = (symbol: CountedSymbol | undefined): SymbolUsage => ({
  symbol_count: symbol ? 1 : 0,
  symbol_bytes: symbol?.size_bytes ?? 0,
});
const difference = (after: SymbolUsage, before: SymbolUsage): SymbolUsage => ({
  symbol_count: after.symbol_count - before.symbol_count,
  symbol_bytes: after.symbol_bytes - before.symbol_bytes,
});

/** Returns the counter changes when `after` replaces `before`, users first; omits unchanged counters. */
export function symbolChanges(
  before: CountedSymbol | undefined,
  after: CountedSymbol | undefined,
): SymbolChange[] {
  const owners = new Set([after?.owner, before?.owner]);
  const changes: SymbolChange[] = [...owners].flatMap((user) => {
    const own = (symbol: CountedSymbol | undefined) => usageOf(symbol?.owner === user ? symbol : undefined);
    return user === undefined ? [] : [{ user, added: difference(own(after), own(before)) }];
  });
  changes.push({ added: difference(usageOf(after), usageOf(before)) });
  return changes.filter(({ added }) => added.symbol_count !== 0 || added.symbol_bytes !== 0);
}

const limitsOf = ({ user }: SymbolChange) => (user === undefined ? SERVICE_LIMITS : USER_LIMITS);
const grown = ({ added }: SymbolChange): [Figure, number][] =>
  (Object.entries(added) as [Figure, number][]).filter(([, amount]) => amount > 0);

/** @throws ApiError `quota.symbols`, `quota.symbol-bytes`, or those of the user, when there is no room for the changes. */
export async function refuseSymbol(changes: readonly SymbolChange[]): Promise<void> {
  const growing = changes.filter((change) => grown(change).length > 0);
  const usages = await Promise.all(growing.map((change) => readCounter(counterOf(change))));
  for (const [index, change] of growing.entries()) {
    for (const [figure, amount] of grown(change)) {
      const { quota: name, refusal } = limitsOf(change)[figure];
      const [limit, count] = [quota(name), usages[index]![figure] ?? 0];
      if (count + amount > limit)
        throw failureOf(SYMBOL_ERRORS, refusal, { limit, count, amount, user: change.user ?? "" });
    }
  }
}

/** Returns a step that counts a change; it succeeds while there is room. */
export function countSymbol(change: SymbolChange): Transaction {
  const { symbol_count, symbol_bytes } = limitsOf(change);
  const limits = { symbol_count: symbol_count.quota, symbol_bytes: symbol_bytes.quota };
  return countStep(counterOf(change), change.added, limits);
}
