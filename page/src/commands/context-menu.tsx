/** The menu of what is selected; without a selection, of the map. */
import { useCallback } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { contextMenu } from "../viewport/tools.ts";
import { canRun, runCommand } from "./run-command.ts";
import { COMMAND_ROWS, type CommandId, type Place, shownKeys } from "./table.ts";

/** The kinds of parts that are selected; "map" if none is. */
function placesOf({ selection, nodes, links, drawings }: Lab): ReadonlySet<Place> {
  const ids = [...selection.value];
  const places = new Set<Place>();
  if (ids.some((id) => nodes.value.has(id))) places.add("device");
  if (ids.some((id) => links.value.has(id))) places.add("link");
  if (ids.some((id) => drawings.value.has(id))) places.add("drawing");
  return places.size === 0 ? new Set(["map"]) : places;
}

/** The commands that can do something with what is selected. */
export function menuItems(lab: Lab, places = placesOf(lab)): readonly MenuItem[] {
  const rows = COMMAND_ROWS.filter(
    ([id, { menus = [] }]) => menus.some((place) => places.has(place)) && canRun(lab, id),
  );
  return [...Map.groupBy(rows, ([, { group }]) => group).values()]
    .flat()
    .map(([id, { name, keys, group }]) => {
      const [first] = keys ?? [];
      return { id, name, group, ...(first !== undefined && { keys: shownKeys(first) }) };
    });
}

function titleOf({ selection, nodes }: Lab): string {
  const { size } = selection.value;
  const [id = ""] = selection.value;
  if (size === 0) return "Map";
  return size === 1 ? (nodes.value.get(id)?.name ?? "Selected part") : `${size} selected parts`;
}

export const ContextMenu = ({ lab }: { readonly lab: Lab }) => {
  const at = contextMenu.value;
  const close = useCallback(() => {
    contextMenu.value = null;
  }, []);
  if (at === null) return null;
  return (
    <Menu
      key={`${at.x} ${at.y}`}
      label={titleOf(lab)}
      items={menuItems(lab)}
      x={at.x}
      y={at.y}
      onClose={close}
      onTake={(id) => runCommand(lab, id as CommandId)}
    />
  );
};
