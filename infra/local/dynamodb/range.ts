/** Ranges of keys as conditions of SQL. */
import type { SQLInputValue } from "node:sqlite";
import { keyText } from "./attribute.ts";
import type { KeyClause } from "./expressions/key-condition.ts";
import type { StoredKey } from "./table.ts";

export interface Range {
  readonly pk: string;
  readonly sort: KeyClause | undefined;
}

/** The key behind which reading begins. */
export interface StartAfter {
  /** The key in the index, or in the table without one. */
  readonly key: StoredKey;
  /** The key in the table. */
  readonly tableKey: StoredKey;
}

interface Sql {
  readonly where: string;
  readonly values: SQLInputValue[];
}

export function rangeSql(
  isIndex: boolean,
  range: Range | undefined,
  after: StartAfter | undefined,
  isForward: boolean,
): Sql {
  const [pk, sk] = isIndex ? ["gsi_pk", "gsi_sk"] : ["pk", "sk"];
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const claim = (condition: string, ...more: SQLInputValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  if (range !== undefined) {
    claim(`${pk} = ?`, range.pk);
    if (range.sort !== undefined) claimSort(sk!, range.sort, claim);
  }
  if (after !== undefined) {
    const { key, tableKey } = after;
    const columns = isIndex ? [pk, sk, "table_pk", "table_sk"] : [pk, sk];
    const last = isIndex ? [key.pk, key.sk, tableKey.pk, tableKey.sk] : [key.pk, key.sk];
    claim(`(${columns.join(", ")}) ${isForward ? ">" : "<"} (${last.map(() => "?").join(", ")})`, ...last);
  }
  return { where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, values };
}

function claimSort(
  column: string,
  { comparison, values }: KeyClause,
  claim: (condition: string, ...values: SQLInputValue[]) => void,
): void {
  const [first, second] = values.map(keyText);
  if (comparison === "BETWEEN") claim(`${column} BETWEEN ? AND ?`, first!, second!);
  else if (comparison === "begins_with") {
    claim(`${column} >= ?`, first!);
    const end = behind(first!);
    if (end !== undefined) claim(`${column} < ?`, end);
  } else claim(`${column} ${comparison} ?`, first!);
}

const LAST_CODE_POINT = 0x10ffff;
const [FIRST_SURROGATE, AFTER_SURROGATES] = [0xd800, 0xe000];

/** Returns the least text that is greater than all texts with this beginning, in the order of code points. */
function behind(prefix: string): string | undefined {
  const points = [...prefix].map((letter) => letter.codePointAt(0)!);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}
