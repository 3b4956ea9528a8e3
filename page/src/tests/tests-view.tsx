/** Tests of a lab: what must hold in it, and which single failure breaks which pair of PCs. */
import { useEffect, useMemo } from "preact/hooks";
import type { ViewProps } from "../dock/view.ts";
import { noteChange } from "../edit/change.ts";
import { projectFile, TESTS_FILE } from "../lab/tests-file.ts";
import { attempt, notify } from "../ui/notices.tsx";
import { saveFile } from "../ui/save-file.ts";
import { Player } from "./player.ts";
import { StoredText } from "./stored-text.ts";
import { SweepMatrix } from "./sweep-matrix.tsx";
import "./tests.css";
import { TimelineView } from "./timeline-view.tsx";
import { VerdictList } from "./verdict-list.tsx";

const FIRST_TEXT = `expect:
  - reach: all
  - no loop:
`;

/** An earlier release kept the text of each lab in the browser. */
const keyOf = (projectId: string): string => `wirelab.tests.${projectId}`;

function noteText(lab: ViewProps["lab"], before: string | undefined, after: string): void {
  const edit = (value: string | undefined) =>
    ({ kind: "tests", id: TESTS_FILE, path: ["text"], value }) as const;
  lab.testsText.value = after;
  noteChange(lab, [edit(before)], [edit(after)], "change the tests", true);
}

function useStoredText(lab: ViewProps["lab"]): StoredText {
  const key = keyOf(lab.project.value.project_id);
  const stored = useMemo(
    () => new StoredText(projectFile(lab.path), FIRST_TEXT, (before, after) => noteText(lab, before, after)),
    [lab],
  );
  const ofLab = lab.testsText.value;
  useEffect(() => {
    // An undo has stored another text.
    if (ofLab !== undefined) attempt(() => stored.refresh());
  }, [stored, ofLab]);
  useEffect(() => {
    const refresh = (): void => attempt(() => stored.refresh());
    const earlier = localStorage.getItem(key);
    attempt(async () => {
      await stored.refresh();
      if (earlier === null) return;
      if (stored.text.peek() === FIRST_TEXT) stored.edit(earlier);
      await stored.store();
      if (stored.problem.peek() === "") localStorage.removeItem(key);
    });
    addEventListener("focus", refresh);
    return () => {
      removeEventListener("focus", refresh);
      void stored.store();
    };
  }, [stored, key]);
  return stored;
}

async function saveLabFile(lab: ViewProps["lab"], tests: string): Promise<void> {
  const { labFileOf } = await import("./lab-file.ts");
  const { name } = lab.project.peek();
  const { text, warnings } = await labFileOf(lab.path, name, tests);
  saveFile(`${name}.lab.yaml`, new Blob([text], { type: "application/yaml" }));
  for (const warning of warnings) notify(warning, true);
}

async function copyAsTypeScript(lab: ViewProps["lab"], tests: string): Promise<void> {
  const [{ labFileOf }, { asTypeScript }] = await Promise.all([
    import("./lab-file.ts"),
    import("./as-typescript.ts"),
  ]);
  const { name } = lab.project.peek();
  const { text, warnings } = await labFileOf(lab.path, name, tests);
  await navigator.clipboard.writeText(asTypeScript(name, text));
  for (const warning of warnings) notify(warning, true);
  notify("Copied: a test of vitest with the lab in it.");
}

export const Tests = ({ lab }: ViewProps) => {
  const player = useMemo(() => new Player(), []);
  useEffect(() => () => player.stop(), [player]);
  const stored = useStoredText(lab);
  const { value: text } = stored.text;
  const { value: theirs } = stored.theirs;
  const play = (kind: "tests" | "sweep"): void => attempt(() => player.play(lab.path, kind, text));
  const report = player.report.value;
  const { value: timeline } = player.timeline;
  const sweep = player.sweep.value;
  const problem = player.problem.value;
  return (
    <section class="tests" aria-label="Tests">
      <form
        class="tests-form"
        onSubmit={(event) => {
          event.preventDefault();
          play("tests");
        }}
      >
        <label for="tests-text">What must hold</label>
        <textarea
          id="tests-text"
          spellcheck={false}
          value={text}
          onInput={(event) => stored.edit(event.currentTarget.value)}
          onBlur={() => void stored.store()}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) play("tests");
          }}
        />
        {theirs !== undefined && (
          <div class="tests-problem" role="alert">
            The tests were changed elsewhere meanwhile.{" "}
            <button type="button" onClick={() => stored.takeTheirs()}>
              Take those
            </button>{" "}
            <button type="button" onClick={() => void stored.keepOwn()}>
              Keep these
            </button>
          </div>
        )}
        {stored.problem.value !== "" && (
          <p class="tests-problem" role="alert">
            {stored.problem.value}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={player.isRunning.value}>
            Run
          </button>
          <button type="button" disabled={player.isRunning.value} onClick={() => play("sweep")}>
            Sweep failures
          </button>
          <button
            type="button"
            title="Save the lab and its tests as a file that wirelab test plays"
            onClick={() => attempt(() => saveLabFile(lab, text))}
          >
            Save as .lab.yaml
          </button>
          <button type="button" onClick={() => attempt(() => copyAsTypeScript(lab, text))}>
            Copy as TypeScript
          </button>
          {player.isRunning.value && (
            <button type="button" onClick={() => player.stop()}>
              Stop
            </button>
          )}
        </div>
        <p class="faint">
          <code>expect</code> and <code>run</code> of a lab file, played here on a copy of the lab as it is
          now, with all nodes on. The project's file <code>{TESTS_FILE}</code> has the text.
        </p>
      </form>
      <div class="tests-results" aria-live="polite">
        {problem !== "" && (
          <pre class="tests-problem" role="alert">
            {problem}
          </pre>
        )}
        {player.warnings.value.map((warning) => (
          <p key={warning} class="undecided">
            {warning}
          </p>
        ))}
        {report && <VerdictList report={report} />}
        {timeline && timeline.endNs > 0 && <TimelineView timeline={timeline} player={player} lab={lab} />}
        {sweep && <SweepMatrix sweep={sweep} lab={lab} />}
        {!report && !sweep && problem === "" && (
          <p class="empty">
            {player.isRunning.value
              ? "Playing the lab…"
              : "Run the tests, or let every link and node fail once."}
          </p>
        )}
      </div>
    </section>
  );
};
