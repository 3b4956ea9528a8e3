/** How often a lab's run asks whether its time is over: the function that runs guests ends after 15 minutes, whatever it does then. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { expect, test } from "vitest";

const guests = {
  problemOf: () => undefined,
  makeDevice: () => {
    throw new Error("not used");
  },
};

/** Two PCs that ping each other for ten minutes. @returns the report, and how often it asked. */
function play(more: string) {
  let polls = 0;
  const text = `nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24${more}}
links: [a -- b]
run: [{at: 0s, console: {a: [ping 10.0.0.2 -c 590]}}]
duration: 600s
expect: [{ping: a -> b, count: 3}]
`;
  const report = runLab(parseLabFile(text, { name: "lab", guests }), {
    isOutOfTime: () => {
      polls += 1;
      return false;
    },
  });
  return { report, polls };
}

test("a lab with Linux nodes asks every 16 events, because a slice of a guest takes milliseconds; the report is the same", () => {
  const without = play("");
  const withLinux = play(", off: {type: linux, started: false}");
  expect(withLinux.polls).toBeGreaterThan(10 * without.polls);
  expect(withLinux.report).toEqual(without.report);
});
