/** The import law as a table of docs/design.md. */
import { existsSync } from "node:fs";
import { folderOf, GROUP, ROOMS } from "./law.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
/** A page that says more about a room than its row. */
const pageOf = (folder: string): string | undefined =>
  [`${folder}/README.md`, `${folder.split("/")[0]}/README.md`].find((page) => existsSync(`${ROOT}/${page}`));

/** Every group imports nearly all rooms: the row names those that it does not. */
function importsOf(room: string, mayImport: readonly string[]): string {
  if (room !== GROUP) return mayImport.map((name) => `\`${name}\``).join(", ") || "nothing";
  const shared = Object.keys(ROOMS).filter((name) => folderOf(name).startsWith("functions/shared/"));
  const missing = shared.filter((name) => !mayImport.includes(name)).map((name) => `\`${name}\``);
  const others = mayImport.filter((name) => !shared.includes(name)).map((name) => `\`${name}\``);
  return `all of \`functions/shared\` but ${missing.join(", ")}; ${others.join(", ")}`;
}

export function roomsTable(): string {
  const rows = Object.entries(ROOMS).map(([room, { about, mayImport }]) => {
    const folder = folderOf(room);
    const page = pageOf(folder);
    const name = page === undefined ? `\`${folder}\`` : `[\`${folder}\`](../${page})`;
    return `| ${name} | ${about} | ${importsOf(room, mayImport)} |`;
  });
  return ["| room | what is in it | what it may import |", "| --- | --- | --- |", ...rows].join("\n");
}
