/** Linux nodes that answer questions about neighbours, and have no guest. */
import type { Device, World } from "@wirelab/engine/devices/device";
import type { Guests } from "@wirelab/lab/read/guests";
import type { Question } from "../../../packages/lab/adjacency/questions.ts";

/** What a program prints, by the name of the question. @param seconds of the lab, since the first question. */
export type AnswerOf = (node: string, question: Question, seconds: number) => string;

const ANSWER_US = 300_000;

export function guestsWithAnswers(answerOf: AnswerOf): Guests {
  let firstUs: number | undefined;
  return {
    problemOf: () => undefined,
    makeDevice: ({ name, commands }, world): Device => ({
      processingNs: 0,
      forwards: false,
      console: undefined,
      start() {},
      resume() {},
      receive() {},
      runScript(script, call) {
        firstUs ??= world.nowUs;
        const seconds = (world.nowUs - firstUs) / 1_000_000;
        const questions = [...script.matchAll(/printf '\\036([\w ]+)\\n'/g)].map(
          ([, each]) => each as Question,
        );
        const output = questions.map((each) => `\u001e${each}\n${answerOf(name, each, seconds)}\n`).join("");
        if (commands.includes("silent")) wait(world);
        else world.after(ANSWER_US, () => call({ code: 0, output }), "foreground");
      },
      saveState: () => ({ name }),
    }),
  };
}

function wait(world: World): void {
  world.after(1_000_000, () => wait(world), "foreground");
}
