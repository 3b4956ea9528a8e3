/** Reads a table by a name that a user chose. Every object has `constructor` and `toString`; they are not in the table. */
export const ownValue = <T>(
  table: Readonly<Partial<Record<string, T>>> | undefined,
  name: string,
): T | undefined => (table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined);
