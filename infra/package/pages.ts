/**
 * The pages of the package: docs/testing.md as its README, what that links to, and the example labs. The repository's address is not
 * known here, so a link to what is not in the package becomes plain text.
 */
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path/posix";

const README = "docs/testing.md";

/** Writes the pages. @param root of the repository. */
export function writePages(root: string, target: string): void {
  const linked = [...readFileSync(join(root, README), "utf8").matchAll(LINK)]
    .map(([, , , link]) => resolveLink(README, link!)?.path)
    .filter((path) => path !== undefined && path !== README);
  /** Places in the package by paths in the repository. */
  const places = new Map([[README, "README.md"], ...linked.map((path) => [path!, path!] as const)]);
  for (const [path, place] of places) {
    const file = join(target, place);
    mkdirSync(dirname(file), { recursive: true });
    if (statSync(join(root, path)).isDirectory()) cpSync(join(root, path), file, { recursive: true });
    else if (path.endsWith(".md")) writeFileSync(file, moveLinks(join(root, path), path, places));
    else cpSync(join(root, path), file);
  }
}

/** `[text](target)`, and images. */
const LINK = /(!?)\[([^\]]*)\]\(([^()\s]+)\)/g;

/** @returns undefined for an address, and for a place on the same page. */
function resolveLink(page: string, link: string): { path: string; hash: string } | undefined {
  if (/^[a-z]+:|^#/.test(link)) return undefined;
  const [path = "", hash] = link.split("#");
  return {
    path: normalize(join(dirname(page), path)).replace(/\/$/, ""),
    hash: hash === undefined ? "" : `#${hash}`,
  };
}

function moveLinks(file: string, page: string, places: ReadonlyMap<string, string>): string {
  return readFileSync(file, "utf8").replaceAll(LINK, (whole, image: string, text: string, link: string) => {
    const found = resolveLink(page, link);
    if (found === undefined) return whole;
    const place = places.get(found.path);
    if (place === undefined) return text;
    return `${image}[${text}](${relative(dirname(places.get(page)!), place)}${found.hash})`;
  });
}
