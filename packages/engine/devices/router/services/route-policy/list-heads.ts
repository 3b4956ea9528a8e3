/** The words in front of the rules of a list. FRR also has lists of communities by number, whose type the number is. */
import type { ListType } from "../../../../routing/policy/lists.ts";

const NUMBERED = /^bgp (community|large-community)-list (standard|expanded)$/;
const NUMBER = /^[1-9]\d{0,2}$/;
const LAST_STANDARD = 99;
const LAST_EXPANDED = 500;

/** Undefined for names that are no number of a list. */
export function typeOfNumber(name: string): "standard" | "expanded" | undefined {
  const number = NUMBER.test(name) ? Number(name) : Number.NaN;
  if (number <= LAST_STANDARD) return "standard";
  return number <= LAST_EXPANDED ? "expanded" : undefined;
}

/** `bgp community-list 10`, `bgp community-list standard NAME`. */
export function headOf({ type, name }: { readonly type: ListType; readonly name: string }): string {
  const [, of, style] = NUMBERED.exec(type) ?? [];
  return of !== undefined && typeOfNumber(name) === style ? `bgp ${of}-list ${name}` : `${type} ${name}`;
}
