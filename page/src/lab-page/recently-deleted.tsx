/** What was deleted within the last hour, by any page: it comes back with all that it had. */
import { useEffect, useState } from "preact/hooks";
import type { Deletion } from "../../../functions/shared/schemas/deletion.ts";
import { call } from "../api/call.ts";
import { bringBack, deletions } from "../edit/remove.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";

const TIME = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

const some = (count: number, thing: string): string =>
  count === 0 ? "" : `${count} ${thing}${count === 1 ? "" : "s"}`;

const wordsOf = ({ nodes, links, drawings, captures }: Deletion): string =>
  [
    ...nodes.slice(0, 3).map(({ name }) => name),
    some(Math.max(0, nodes.length - 3), "more device"),
    some(links.length, "link"),
    some(captures, "capture"),
    some(drawings.length, "drawing"),
  ]
    .filter((words) => words !== "")
    .join(", ");

export const RecentlyDeleted = ({ lab }: { readonly lab: Lab }) => {
  const [kept, setKept] = useState<readonly Deletion[]>([]);
  const read = async () => setKept(await call<Deletion[]>("GET", `${lab.path}/deletions`));
  const count = deletions.value;
  useEffect(() => {
    // A later reading mends a failure.
    read().catch(() => {});
  }, [lab, count]);
  if (kept.length === 0) return null;
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) attempt(read);
      }}
    >
      <summary>Recently deleted</summary>
      <ul class="parts">
        {kept.toReversed().map((deletion) => (
          <li key={deletion.deletion_id}>
            <span class="part">
              {wordsOf(deletion)} <span class="faint">{TIME.format(new Date(deletion.created_at))}</span>
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={`Bring back ${wordsOf(deletion)}`}
              onClick={() => attempt(() => bringBack(lab, deletion.deletion_id).finally(read))}
            >
              Bring back
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
};
