/** With whom a lab is shared. */
import { call } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { isSame } from "../lab/own-changes.ts";
import { notify } from "../ui/notices.tsx";

export type Shares = Project["shared_with"];
type SharedLab = Pick<Lab, "path" | "project" | "history">;

/** Changes the list, unless another user has changed it since. */
async function change(lab: SharedLab, from: Shares, to: Shares): Promise<void> {
  const now = await call<Project>("GET", lab.path);
  lab.project.value = now;
  if (!isSame(now.shared_with, from))
    return notify("Changed since by another user, and left as it is: with whom the lab is shared.", true);
  lab.project.value = await call<Project>("PUT", lab.path, { body: { shared_with: to } });
}

export async function share(lab: SharedLab, shares: Shares): Promise<void> {
  const before = lab.project.peek().shared_with;
  await change(lab, before, shares);
  const after = lab.project.peek().shared_with;
  if (isSame(before, after) || !isSame(after, shares)) return;
  lab.history.note({
    name: "change with whom the lab is shared",
    undo: () => change(lab, after, before),
    redo: () => change(lab, before, after),
  });
}
