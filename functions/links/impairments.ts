/** Impairments of a link: what it does beyond the interface's five filters, and after them (docs/impairments.md). */
import { compileFilter } from "@wirelab/engine/bpf/index";
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import { invalidAt } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { startOfRunUs } from "../shared/run/clock.ts";
import { untilFresh } from "../shared/store/base/transact.ts";
import { removeImpairments, updateLink } from "../shared/store/lab/link.ts";
import { readLink, readLinkInProject } from "./read-link.ts";
import { refuseReal } from "./refuse-real.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;

export const getImpairments: Operation<Routes["getImpairments"]> = async ({ access, params }) => {
  const { document } = await readLink(access, params.project_id, params.link_id);
  return { status: 200, body: document.impairments?.settings ?? {} };
};

/** Replaces the whole set; the schedule begins anew. */
export const putImpairments: Operation<Routes["putImpairments"]> = async ({ access, params, body }) => {
  refuseWrong(body);
  await untilFresh(async () => {
    const { project, link } = await readLinkInProject(access, params.project_id, params.link_id);
    refuseReal(link, "impair it beyond its filters");
    const impairments = { settings: body, since_us: startOfRunUs(project) };
    return updateLink(link, { ...link.document, impairments });
  });
  return { status: 200, body };
};

export const deleteImpairments: Operation<Routes["deleteImpairments"]> = async ({ access, params }) => {
  await untilFresh(async () => {
    const link = await readLink(access, params.project_id, params.link_id);
    return link.document.impairments ? removeImpairments(link) : link;
  });
  return { status: 204 };
};

/** @throws ApiError 400 that names each wrong value by its path; then nothing of the set is stored. */
function refuseWrong(settings: Readonly<Record<string, unknown>>): void {
  const parsed = parseImpairments(settings, { compileBpf: compileFilter });
  if (!parsed.ok) throw invalidAt("body", parsed.problems);
}
