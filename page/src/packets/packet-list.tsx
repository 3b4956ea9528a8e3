/** A list of any number of packets, of which only those in view are elements. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Row } from "./model.ts";
import type { PacketSession } from "./session.ts";

const ROW_PX = 22;
/** Rows above and below the view that are drawn as well. */
const MARGIN_ROWS = 20;
/** Rows are asked for in pages. */
const PAGE_ROWS = 100;
const KEPT_PAGES = 40;

interface Properties {
  readonly session: PacketSession;
  readonly names: readonly string[];
  readonly selected: number | undefined;
  readonly onSelect: (index: number) => void;
  /** Keeps the newest packets in view. */
  readonly isFollowing: boolean;
  /** The packets are being filtered. */
  readonly isBusy: boolean;
}

/** Keys that move the selection, in rows; infinite to the ends. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export const PacketList = ({ session, names, selected, onSelect, isFollowing, isBusy }: Properties) => {
  const { matched, generation } = session.counts.value;
  const view = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const pageRows = Math.max(1, Math.floor(height / ROW_PX));
  const from = Math.max(0, Math.floor(top / ROW_PX) - MARGIN_ROWS);
  const to = Math.min(matched, from + pageRows + 2 * MARGIN_ROWS);
  const rowAt = useRows(session, from, to, matched, generation);

  useLayoutEffect(() => {
    const element = view.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (isFollowing) view.current!.scrollTop = matched * ROW_PX;
  }, [isFollowing, matched]);

  const move = (event: KeyboardEvent): void => {
    const pages = event.key === "PageDown" ? pageRows : event.key === "PageUp" ? -pageRows : undefined;
    const by = pages ?? MOVES[event.key];
    if (by === undefined || matched === 0) return;
    event.preventDefault();
    const next = Math.min(matched - 1, Math.max(0, (selected ?? -1) + by));
    onSelect(next);
    show(view.current!, next);
  };

  return (
    <div class="packet-table">
      <div class="packet-row packet-head" aria-hidden="true">
        {HEADS.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <div
        ref={view}
        class="packet-rows"
        role="listbox"
        aria-label="Packets"
        aria-busy={isBusy}
        tabIndex={0}
        aria-activedescendant={selected === undefined ? undefined : `packet-${selected}`}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={move}
      >
        <div class="packet-space" style={{ height: `${matched * ROW_PX}px` }}>
          {Array.from({ length: Math.max(0, to - from) }, (_, offset) => {
            const index = from + offset;
            return (
              <PacketRow
                key={index}
                index={index}
                row={rowAt(index)}
                names={names}
                count={matched}
                isSelected={index === selected}
                onSelect={onSelect}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
};

const HEADS = ["No.", "Time", "Link", "Source", "Destination", "Protocol", "Length", "Info"];

interface RowProperties {
  readonly index: number;
  readonly row: Row | undefined;
  readonly names: readonly string[];
  readonly count: number;
  readonly isSelected: boolean;
  readonly onSelect: (index: number) => void;
}

const PacketRow = ({ index, row, names, count, isSelected, onSelect }: RowProperties) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
  // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names its active row
  <div
    id={`packet-${index}`}
    class="packet-row"
    role="option"
    aria-selected={isSelected}
    aria-posinset={index + 1}
    aria-setsize={count}
    data-protocol={row?.protocol.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}
    style={{ top: `${index * ROW_PX}px` }}
    onClick={() => onSelect(index)}
  >
    {row && (
      <>
        <span>{index + 1}</span>
        <span>{row.seconds.toFixed(6)}</span>
        <span>{names[row.source]}</span>
        <span>{row.from}</span>
        <span>{row.to}</span>
        <span>{row.protocol}</span>
        <span>{row.length}</span>
        <span>{row.info}</span>
      </>
    )}
  </div>
);

/** Scrolls a row into view. */
function show(view: HTMLElement, index: number): void {
  const top = index * ROW_PX;
  if (top < view.scrollTop) view.scrollTop = top;
  const bottom = top + ROW_PX - view.clientHeight;
  if (bottom > view.scrollTop) view.scrollTop = bottom;
}

/** Asks the worker for the pages in view. A page that is not full is asked for again when there are more rows. */
function useRows(
  session: PacketSession,
  from: number,
  to: number,
  matched: number,
  generation: number,
): (index: number) => Row | undefined {
  const pages = useRef(new Map<number, readonly Row[]>());
  const shownGeneration = useRef(generation);
  const [, redraw] = useState(0);
  if (shownGeneration.current !== generation) {
    shownGeneration.current = generation;
    pages.current = new Map();
  }
  useEffect(() => {
    let isCurrent = true;
    const held = pages.current;
    for (let page = Math.floor(from / PAGE_ROWS); page * PAGE_ROWS < to; page++) {
      const wanted = Math.min(PAGE_ROWS, matched - page * PAGE_ROWS);
      if ((held.get(page)?.length ?? 0) >= wanted) continue;
      void session.rows(page * PAGE_ROWS, PAGE_ROWS).then((rows) => {
        if (pages.current !== held) return;
        held.delete(page);
        held.set(page, rows);
        for (const oldest of held.keys()) {
          if (held.size <= KEPT_PAGES) break;
          held.delete(oldest);
        }
        if (isCurrent) redraw((count) => count + 1);
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [session, from, to, matched, generation]);
  return (index) => pages.current.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}
