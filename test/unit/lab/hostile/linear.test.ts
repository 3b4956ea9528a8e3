import { LabFileError, MOST_PROBLEMS } from "@wirelab/lab/file/problem";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { expect, test } from "vitest";
import { drawn, drawOf } from "../../../helpers/cases/draw.ts";
import { countSteps } from "../../../helpers/count-steps.ts";
import { TEXTS } from "./texts.ts";

/** @returns the problems of the file. */
function read(text: string): readonly string[] {
  try {
    parseLabFile(text, { name: "x" });
  } catch (error) {
    if (!(error instanceof LabFileError)) throw error;
    return error.problems.map(({ message }) => message);
  }
  return [];
}

const SMALL = 4_096;
const TIMES = 4;

const draw = drawOf(4);

test.each(drawn(Object.entries(TEXTS), draw))(
  `reading %s takes steps in proportion to its length${draw.note}`,
  (_what, make) => {
    const [small, large] = [make(SMALL), make(SMALL * TIMES)];
    // What is loaded and compiled with the first text is not the text's.
    read(small);
    const few = countSteps(() => read(small));
    const many = countSteps(() => read(large));
    expect(many).toBeLessThan(few * (large.length / small.length) * 1.5 + 50_000);
  },
);

test.each(drawn(Object.entries(TEXTS), draw))(
  `256 KiB of %s are read or refused with few problems${draw.note}`,
  (_what, make) => {
    const text = make(262_144 - 16_384).slice(0, 262_144);
    const problems = read(text);
    expect(problems.length).toBeLessThanOrEqual(MOST_PROBLEMS);
    expect(problems.join("").length).toBeLessThan(65_536);
  },
);
