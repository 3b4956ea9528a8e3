/** The labs of the gallery: examples/labs, each loaded when it is chosen. */
import type { Project } from "../api/types.ts";

const FILES = import.meta.glob<string>("../../../examples/labs/*.lab.yaml", {
  query: "?raw",
  import: "default",
});

const ACRONYM = /\b(arp|dhcp|mtu|vlan)\b/g;

const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** File name -> title, by title. */
export const EXAMPLES: readonly (readonly [string, string])[] = Object.keys(FILES)
  .map((path) => {
    const words = fileName(path)
      .replace(".lab.yaml", "")
      .replaceAll("-", " ")
      .replace(ACRONYM, (word) => word.toUpperCase());
    return [path, words.charAt(0).toUpperCase() + words.slice(1)] as const;
  })
  .toSorted(([, a], [, b]) => a.localeCompare(b));

export async function buildExample(path: string): Promise<Project> {
  const [text, { buildLab }] = await Promise.all([FILES[path]!(), import("./build-lab.ts")]);
  return buildLab(fileName(path), new TextEncoder().encode(text));
}
