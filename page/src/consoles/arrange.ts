/** Which consoles are open, and which of them are shown side by side. */

export interface Arrangement {
  /** Node ids in the order of the tabs. */
  readonly open: readonly string[];
  /** Node ids from left to right; a part of `open`. */
  readonly shown: readonly string[];
  /** The one that was used last; one of `shown`, or null without any. */
  readonly active: string | null;
}

export const NO_CONSOLES: Arrangement = { open: [], shown: [], active: null };

/** More would be too narrow for lines of 80 characters on a wide screen. */
const MOST_BESIDE = 4;

/** Opens a console, and shows it in the place of the active one. */
export function show({ open, shown, active }: Arrangement, id: string): Arrangement {
  const all = open.includes(id) ? open : [...open, id];
  if (shown.includes(id)) return { open: all, shown, active: id };
  const replaced = active === null ? [id] : shown.map((each) => (each === active ? id : each));
  return { open: all, shown: replaced, active: id };
}

/** Shows an open console beside the others; takes one away that is beside others. */
export function toggleBeside(arrangement: Arrangement, id: string): Arrangement {
  const { open, shown, active } = arrangement;
  if (!open.includes(id)) return arrangement;
  if (!shown.includes(id)) {
    if (shown.length === MOST_BESIDE) return show(arrangement, id);
    return { open, shown: [...shown, id], active: id };
  }
  if (shown.length === 1) return arrangement;
  const left = shown.filter((each) => each !== id);
  return { open, shown: left, active: active === id ? left.at(-1)! : active };
}

/** Closes a console; another open one takes the place of the only one that was shown. */
export function close({ open, shown, active }: Arrangement, id: string): Arrangement {
  const left = open.filter((each) => each !== id);
  const beside = shown.filter((each) => each !== id);
  const stillShown = beside.length > 0 ? beside : left.slice(-1);
  const isActiveLeft = active !== null && stillShown.includes(active);
  return { open: left, shown: stillShown, active: isActiveLeft ? active : (stillShown.at(-1) ?? null) };
}
