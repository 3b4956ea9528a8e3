/** A menu at a place of the window: cursor keys and letters choose, Escape closes, and the focus returns to where it was. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly keys?: string;
  /** A line separates the groups. */
  readonly group: string;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** In pixels of the window. */
  readonly x: number;
  readonly y: number;
  readonly onTake: (id: string) => void;
  readonly onClose: () => void;
}

const EDGE = 6;

/** @returns the item to which a key moves; undefined for other keys. */
function movedTo(key: string, at: number, items: readonly MenuItem[]): number | undefined {
  const { length } = items;
  if (key === "ArrowDown") return (at + 1) % length;
  if (key === "ArrowUp") return (at + length - 1) % length;
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  if (key.length !== 1) return undefined;
  const next = [...items.keys()].map((step) => (at + 1 + step) % length);
  return next.find((index) => items[index]!.name.toLowerCase().startsWith(key.toLowerCase()));
}

export const Menu = ({ label, items, x, y, onTake, onClose }: MenuProps) => {
  const menu = useRef<HTMLDivElement>(null);
  const [before] = useState(() => document.activeElement);
  const [place, setPlace] = useState({ x, y });
  const options = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const returnFocus = () => {
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
  useLayoutEffect(() => {
    const { width, height } = menu.current!.getBoundingClientRect();
    setPlace({
      x: Math.max(EDGE, Math.min(x, innerWidth - width - EDGE)),
      y: Math.max(EDGE, Math.min(y, innerHeight - height - EDGE)),
    });
    options()[0]?.focus();
  }, [x, y]);
  useEffect(() => {
    const pressElsewhere = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) onClose();
    };
    addEventListener("pointerdown", pressElsewhere, { capture: true });
    addEventListener("blur", onClose);
    addEventListener("resize", onClose);
    return () => {
      removeEventListener("pointerdown", pressElsewhere, { capture: true });
      removeEventListener("blur", onClose);
      removeEventListener("resize", onClose);
    };
  }, [onClose]);
  const press = (event: KeyboardEvent) => {
    const all = options();
    const to = movedTo(event.key, all.indexOf(document.activeElement as HTMLElement), items);
    if (to !== undefined) all[to]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") {
      returnFocus();
      onClose();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
      onKeyDown={press}
      onContextMenu={(event) => event.preventDefault()}
    >
      {items.map(({ id, name, keys, group }, index) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={index > 0 && items[index - 1]!.group !== group ? "quiet first" : "quiet"}
          onClick={() => {
            returnFocus();
            onClose();
            onTake(id);
          }}
        >
          <span>{name}</span>
          {keys !== undefined && <span class="faint">{keys}</span>}
        </button>
      ))}
    </div>
  );
};
