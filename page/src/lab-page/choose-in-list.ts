/** Selection in lists: a click selects one part, with Ctrl it adds or removes one, with Shift it selects up to this one. Pure. */

export interface Click {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * @param last where the last click was; the other end of what Shift selects.
 * @param order the ids of the list, as it is shown.
 */
export function choose(
  before: ReadonlySet<string>,
  id: string,
  { ctrlKey, metaKey, shiftKey }: Click,
  last: string | undefined,
  order: readonly string[],
): ReadonlySet<string> {
  const isAdding = ctrlKey || metaKey;
  const from = shiftKey && last !== undefined ? order.indexOf(last) : -1;
  if (from !== -1) {
    const to = order.indexOf(id);
    const between = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    return new Set([...(isAdding ? before : []), ...between]);
  }
  if (!isAdding) return new Set([id]);
  return before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id]);
}
