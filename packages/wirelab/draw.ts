/** `wirelab draw`: the topology of a lab as SVG. */
import { writeFileSync } from "node:fs";
import { parseCommandLine, STANDARD_STREAM, type Surroundings } from "./command-line.ts";
import { onFile } from "./file-error.ts";
import { loadLabFile } from "./load-lab-file.ts";

export const help = `Usage: wirelab draw FILE [out.svg]

Draws the topology of a lab file as SVG. Without out.svg, or with "-", to standard output.
`;

export async function run(args: string[], { stdout }: Surroundings): Promise<void> {
  const { positionals } = parseCommandLine(args, { options: {}, positionals: ["FILE", "[out.svg]"] });
  const [path, out = STANDARD_STREAM] = positionals as [string, string?];
  const { drawLab } = await import("@wirelab/lab/draw/draw");
  const svg = drawLab(loadLabFile(path));
  if (out === STANDARD_STREAM) stdout.write(svg);
  else onFile("write", out, () => writeFileSync(out, svg));
}
