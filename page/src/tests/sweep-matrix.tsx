/** Which single failure breaks which pair of PCs. */
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { idOfFailed } from "./find-failed.ts";
import { addCheck } from "./make-check.ts";
import type { SweepRow } from "./play.ts";
import type { Sweep } from "./player.ts";

/** More columns are of no use on a screen; pairs that break come first. */
const MOST_PAIRS = 40;

export const SweepMatrix = ({ sweep, lab }: { readonly sweep: Sweep; readonly lab: Lab }) => {
  const { pairs, rows, total } = sweep;
  const broken = (pair: number): number => rows.filter(({ reaches }) => reaches[pair] !== true).length;
  const columns = pairs.map((_, pair) => pair).toSorted((a, b) => broken(b) - broken(a) || a - b);
  const shown = columns.slice(0, MOST_PAIRS);
  if (pairs.length === 0) return <p class="empty">The lab has fewer than two PCs.</p>;
  const harmless = rows.filter(({ reaches }) => reaches.every((each) => each === true)).length;
  return (
    <>
      <p role="status">
        {rows.length < total ? `${rows.length} of ${total} cases; ` : `${total} cases; `}
        {harmless} break no pair
        {pairs.length > MOST_PAIRS &&
          `; the ${MOST_PAIRS} of ${pairs.length} pairs that break most are shown`}
      </p>
      <div class="matrix-scroll">
        <table class="matrix">
          <caption class="hidden">Reachability of each pair, by failure</caption>
          <thead>
            <tr>
              <th scope="col">Failure</th>
              {shown.map((pair) => (
                <th key={pair} scope="col" class="pair">
                  <span>{pairs[pair]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={titleOf(row)} row={row} shown={shown} pairs={pairs} lab={lab} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

const titleOf = ({ failure }: SweepRow): string => (failure ? `${failure.kind} ${failure.name}` : "none");

const Row = ({
  row,
  shown,
  pairs,
  lab,
}: {
  readonly row: SweepRow;
  readonly shown: readonly number[];
  readonly pairs: readonly string[];
  readonly lab: Lab;
}) => {
  const id = idOfFailed(row, lab.nodes.value, lab.links.value);
  const title = titleOf(row);
  return (
    <tr>
      <th scope="row">
        {id === undefined ? (
          title
        ) : (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              lab.selection.value = new Set([id]);
            }}
          >
            {title}
          </button>
        )}
      </th>
      {shown.map((pair) => (
        <Cell
          key={pair}
          reaches={row.reaches[pair] ?? null}
          title={`${title}: ${pairs[pair]}`}
          onTake={(reaches) => attempt(() => takeCell(lab, row, pairs[pair]!, reaches))}
        />
      ))}
    </tr>
  );
};

/** What the cell shows becomes a check. */
async function takeCell(lab: Lab, row: SweepRow, pair: string, reaches: boolean): Promise<void> {
  const { duringFailure } = await import("./checks.ts");
  const when = row.failure === undefined ? "" : ` while ${titleOf(row)} fails`;
  const words = `${pair} must ${reaches ? "" : "not "}be reached${when}`;
  await addCheck(lab, words, (text) => duringFailure(text, row.failure, pair, reaches));
}

interface CellProps {
  readonly reaches: boolean | null;
  readonly title: string;
  readonly onTake: (reaches: boolean) => void;
}

const Cell = ({ reaches, title, onTake }: CellProps) => {
  if (reaches === null)
    return (
      <td class="undecided">
        <span aria-hidden="true">?</span>
        <span class="hidden">undecided</span>
      </td>
    );
  const words = reaches ? "reaches" : "does not reach";
  return (
    <td class={reaches ? "passed" : "failed"}>
      <button
        type="button"
        class="quiet"
        title={`${title} ${words}. Click: expect that.`}
        onClick={() => onTake(reaches)}
      >
        <span aria-hidden="true">{reaches ? "·" : "✗"}</span>
        <span class="hidden">{words}</span>
      </button>
    </td>
  );
};
