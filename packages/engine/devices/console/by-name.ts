/** A table by typed names: without a prototype, `constructor` is no name. */
export const byName = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), entries);
