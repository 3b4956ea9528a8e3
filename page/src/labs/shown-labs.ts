/** Which labs the list shows, and in which order. */
import type { Project } from "../api/types.ts";

export const ORDERS = { newest: "Newest first", oldest: "Oldest first", name: "By name" } as const;
export type Order = keyof typeof ORDERS;

/** `Lab 2` before `Lab 10`. */
const BY_NUMBER = new Intl.Collator(undefined, { numeric: true });

const lower = (text: string): string => text.toLocaleLowerCase();

/** @param labs oldest first. @param words a lab has each of them in its name or in its owner's. */
export function shownLabs<T extends Pick<Project, "name" | "owner">>(
  labs: readonly T[],
  words: string,
  order: Order,
): readonly T[] {
  const wanted = lower(words).split(/\s+/);
  const found = labs.filter(({ name, owner }) => {
    const text = lower(`${name} ${owner ?? ""}`);
    return wanted.every((word) => text.includes(word));
  });
  if (order === "name") return found.toSorted((a, b) => BY_NUMBER.compare(a.name, b.name));
  return order === "newest" ? found.toReversed() : found;
}
