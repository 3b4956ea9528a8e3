/** What can be done with several selected parts: the commands of their menu. */
import { menuItems } from "../commands/context-menu.tsx";
import { runCommand } from "../commands/run-command.ts";
import type { CommandId } from "../commands/table.ts";
import { listWords } from "../edit/words.ts";
import type { Lab } from "../lab/lab.ts";
import { linkName } from "../lab/link-name.ts";

const some = (count: number, thing: string): string[] =>
  count === 0 ? [] : [`${count} ${thing}${count === 1 ? "" : "s"}`];

export const BulkPanel = ({ lab }: { readonly lab: Lab }) => {
  const ids = [...lab.selection.value];
  const nodes = ids.flatMap((id) => lab.nodes.value.get(id) ?? []);
  const links = ids.flatMap((id) => lab.links.value.get(id) ?? []);
  const drawings = ids.filter((id) => lab.drawings.value.has(id)).length;
  const title = [
    ...some(nodes.length, "device"),
    ...some(links.length, "link"),
    ...some(drawings, "drawing"),
  ].join(", ");
  const names = [...nodes.map(({ name }) => name), ...links.map((link) => linkName(link, lab.nodes.value))];
  const groups = Map.groupBy(menuItems(lab), ({ group }) => group);
  return (
    <section class="panel" aria-label="Selected parts">
      <h2>{title}</h2>
      {names.length > 0 && <p class="facts">{listWords(names)}</p>}
      {[...groups].map(([group, items]) => (
        <p key={group} class="buttons">
          {items.map(({ id, name, keys }) => (
            <button
              key={id}
              type="button"
              class={id === "remove" ? "danger" : ""}
              title={keys === undefined ? name : `${name} (${keys})`}
              onClick={() => runCommand(lab, id as CommandId)}
            >
              {name}
            </button>
          ))}
        </p>
      ))}
    </section>
  );
};
