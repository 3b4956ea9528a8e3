/** Tests of a lab: what must hold in it, and which single failure breaks which pair of PCs. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ViewProps } from "../dock/view.ts";
import { attempt } from "../ui/notices.tsx";
import { Player } from "./player.ts";
import { SweepMatrix } from "./sweep-matrix.tsx";
import "./tests.css";
import { TimelineView } from "./timeline-view.tsx";
import { VerdictList } from "./verdict-list.tsx";

const FIRST_TEXT = `expect:
  - reach: all
  - no loop:
`;

/** The text of each lab stays in the browser. */
const keyOf = (projectId: string): string => `wirelab.tests.${projectId}`;

export const Tests = ({ lab }: ViewProps) => {
  const key = keyOf(lab.project.value.project_id);
  const player = useMemo(() => new Player(), []);
  const [text, setText] = useState(() => localStorage.getItem(key) ?? FIRST_TEXT);
  useEffect(() => () => player.stop(), [player]);
  useEffect(() => localStorage.setItem(key, text), [key, text]);
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
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) play("tests");
          }}
        />
        <div class="buttons">
          <button type="submit" class="primary" disabled={player.isRunning.value}>
            Run
          </button>
          <button type="button" disabled={player.isRunning.value} onClick={() => play("sweep")}>
            Sweep failures
          </button>
          {player.isRunning.value && (
            <button type="button" onClick={() => player.stop()}>
              Stop
            </button>
          )}
        </div>
        <p class="faint">
          <code>expect</code> and <code>run</code> of a lab file, played in this browser, in virtual time. The
          lab starts as its start-up scripts and properties say; the nodes here are not touched.
        </p>
      </form>
      <div class="tests-results" aria-live="polite">
        {problem !== "" && (
          <pre class="tests-problem" role="alert">
            {problem}
          </pre>
        )}
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
