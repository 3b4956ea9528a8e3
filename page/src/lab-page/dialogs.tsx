/** The dialogs and the menu above the lab's view. */
import { useEffect } from "preact/hooks";
import { ContextMenu } from "../commands/context-menu.tsx";
import { Finder } from "../commands/finder.tsx";
import { KeyList } from "../commands/key-list.tsx";
import { CarryDialog } from "../dialogs/carry-dialog.tsx";
import { ShareDialog } from "../dialogs/share-dialog.tsx";
import { SnapshotsDialog } from "../dialogs/snapshots-dialog.tsx";
import type { Lab } from "../lab/lab.ts";
import { closeDialog, dialog } from "../ui/open-dialog.ts";

export const Dialogs = ({ lab }: { readonly lab: Lab }) => {
  useEffect(() => closeDialog, []);
  return (
    <>
      <ContextMenu lab={lab} />
      {dialog.value === "search" && <Finder key="search" lab={lab} first="parts" />}
      {dialog.value === "palette" && <Finder key="palette" lab={lab} first="commands" />}
      {dialog.value === "keys" && <KeyList />}
      {dialog.value === "snapshots" && <SnapshotsDialog lab={lab} />}
      {dialog.value === "carry" && <CarryDialog lab={lab} />}
      {dialog.value === "share" && <ShareDialog lab={lab} />}
    </>
  );
};
