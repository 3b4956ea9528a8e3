/** The labs of the gallery: examples/labs. */
import type { Project } from "../api/types.ts";
import type { Sketch } from "./sketch.ts";

const FILES = import.meta.glob<string>("../../../examples/labs/*.lab.yaml", {
  query: "?raw",
  import: "default",
  eager: true,
});

export interface Example {
  readonly file: string;
  readonly title: string;
  /** The first paragraph of the comment with which the file begins. */
  readonly description: string;
  readonly text: string;
}

function exampleOf(path: string, text: string): Example {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const name = /^name: (.+)$/m.exec(text)?.[1] ?? file.replace(".lab.yaml", "");
  const [comment = ""] = /^(#.+\n)+/.exec(text) ?? [];
  return {
    file,
    title: name.charAt(0).toUpperCase() + name.slice(1),
    description: comment.replace(/^# ?/gm, "").replaceAll("\n", " ").trim(),
    text,
  };
}

/** By title. */
export const EXAMPLES: readonly Example[] = Object.entries(FILES)
  .map(([path, text]) => exampleOf(path, text))
  .toSorted((a, b) => a.title.localeCompare(b.title));

const load = () => import("./build-lab.ts");

const bytesOf = ({ text }: Example): Uint8Array => new TextEncoder().encode(text);

export async function buildExample(example: Example): Promise<Project> {
  return (await (await load()).buildLab(example.file, bytesOf(example))).project;
}

/** One lab is read at a time, so that the page answers in between. */
let reading: Promise<unknown> = Promise.resolve();

export function sketchExample(example: Example): Promise<Sketch> {
  const sketch = reading.then(async () => {
    const { sketchLab } = await load();
    await new Promise((resolve) => setTimeout(resolve));
    return sketchLab(example.file, bytesOf(example));
  });
  reading = sketch.catch(() => {});
  return sketch;
}
