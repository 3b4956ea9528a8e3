/** Tables that are made of single sources: presets of impairments, and routes with a role of their own. */
import { PRESETS } from "@wirelab/engine/link/impairments/index";
import { GROUPS } from "../../../functions/routes.ts";
import type { Route } from "../../../functions/shared/edge/route.ts";

export function presetsTable(): string {
  const rows = Object.entries(PRESETS).map(
    ([name, { about, source }]) => `| \`${name}\` | ${about} | ${source} |`,
  );
  return ["| preset | numbers | source |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Routes whose role does not follow from their method, a row for each role. */
export function rolesTable(): string {
  const routes = GROUPS.flatMap(({ routes }) => Object.values<Route>(routes)).filter(
    ({ role }) => role !== undefined,
  );
  const rows = [...Map.groupBy(routes, ({ role }) => role!)].map(([role, of]) => {
    const names = of.map(({ method, path }) => `\`${method} ${path}\``).join(", ");
    return `| ${names} | ${role === "public" ? "no credentials" : `\`${role}\``} |`;
  });
  return ["| route | takes |", "| --- | --- |", ...rows].join("\n");
}
