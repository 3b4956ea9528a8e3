/** Matchers for labs. Each is an expectation of a lab file; a failure leaves a capture. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { captureLab } from "@wirelab/lab/capture/capture-lab";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { Verdict } from "@wirelab/lab/report/report";
import { runLab } from "@wirelab/lab/run-lab";
import { TestLab } from "./lab.ts";

interface State {
  readonly isNot: boolean;
  readonly currentTestName?: string | undefined;
}
interface Result {
  readonly pass: boolean;
  readonly message: () => string;
}
type Fields = Readonly<Record<string, unknown>>;

/** Where failing tests leave their captures, relative to the working directory. */
const CAPTURES = ".wirelab";

function judge(state: State, received: unknown, expectation: Fields | undefined): Result {
  if (!(received instanceof TestLab)) throw new TypeError("expect() needs a lab here: expect(lab({...}))");
  // The lab decides the negation, so that a run which cannot decide fails either way.
  const model = received.model(expectation && (state.isNot ? { ...expectation, not: true } : expectation));
  const { verdicts } = runLab(model);
  const wrong = verdicts.filter(({ status }) => status !== "passed");
  const holds = wrong.length === 0;
  const isNegatedHere = expectation === undefined && state.isNot;
  const pass = isNegatedHere ? holds : state.isNot ? !holds : holds;
  return { pass, message: () => messageOf(wrong, model, state) };
}

function messageOf(wrong: readonly Verdict[], model: LabModel, state: State): string {
  if (wrong.length === 0) return "every expectation of the lab holds";
  return [...wrong.flatMap(describe), `capture: ${writeCapture(model, state)}`].join("\n");
}

const describe = ({ name, status, expected, got, evidence }: Verdict): string[] => [
  status === "undecided" ? `${name} (undecided)` : name,
  `  expected: ${expected}`,
  `  got:      ${got}`,
  ...(evidence?.packets ?? []).map(
    ({ at, link, from, to, summary, fate }) =>
      `  ${at.toFixed(6)} s  ${link}  ${from} -> ${to}  ${summary}  ${fate}`,
  ),
  ...(evidence?.death ? [`  ended at ${evidence.death.where}: ${evidence.death.why}`] : []),
];

function writeCapture(model: LabModel, { currentTestName = "test" }: State): string {
  mkdirSync(CAPTURES, { recursive: true });
  const path = join(CAPTURES, `${currentTestName.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 100)}.pcapng`);
  writeFileSync(path, captureLab(model));
  return resolve(path);
}

export const matchers = {
  toReach(this: State, lab: unknown, reach: unknown, options?: object) {
    return judge(this, lab, { reach, ...options });
  },
  toPing(this: State, lab: unknown, ping: string, options?: object) {
    return judge(this, lab, { ping, ...options });
  },
  toTakePath(this: State, lab: unknown, path: string, options: object) {
    return judge(this, lab, { path, ...options });
  },
  toCarry(this: State, lab: unknown, expression: string, options: { is?: unknown } = {}) {
    return judge(this, lab, { [options.is === undefined ? "seen" : "count"]: expression, ...options });
  },
  toHaveNeighbour(this: State, lab: unknown, arp: string, has: string, options?: object) {
    return judge(this, lab, { arp, has, ...options });
  },
  toHaveLearned(this: State, lab: unknown, mac: string, has: string, options?: object) {
    return judge(this, lab, { mac, has, ...options });
  },
  toHaveRoute(this: State, lab: unknown, route: string, to: string, options?: object) {
    return judge(this, lab, { route, to, ...options });
  },
  toHaveLease(this: State, lab: unknown, lease: string, options?: object) {
    return judge(this, lab, { lease, ...options });
  },
  toPrint(this: State, lab: unknown, node: string, text: string | RegExp, options?: object) {
    const what = typeof text === "string" ? { contains: text } : { matches: text.source };
    return judge(this, lab, { console: node, ...what, ...options });
  },
  toLoop(this: State, lab: unknown) {
    return judge(this, lab, { loop: null });
  },
  toHold(this: State, lab: unknown) {
    return judge(this, lab, undefined);
  },
};
