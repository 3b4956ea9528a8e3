/** The verdicts of a lab's expectations, with what explains a failure. */
import type { LabReport, Status, Verdict } from "@wirelab/lab/report/report";
import { PacketTable } from "./packet-table.tsx";

const SIGNS: Readonly<Record<Status, string>> = { passed: "✓", failed: "✗", undecided: "?" };

const countOf = (verdicts: readonly Verdict[], wanted: Status): number =>
  verdicts.filter(({ status }) => status === wanted).length;

export const VerdictList = ({ report }: { readonly report: LabReport }) => {
  const { verdicts, labSeconds, packets, limit } = report;
  return (
    <>
      <p role="status">
        <strong class={report.status}>{report.status}</strong>: {countOf(verdicts, "passed")} passed,{" "}
        {countOf(verdicts, "failed")} failed, {countOf(verdicts, "undecided")} undecided;{" "}
        {labSeconds.toFixed(3)} s of lab time, {packets} packets
        {limit && `; the run ended at its limit of ${limit}`}
      </p>
      <ul class="verdicts">
        {verdicts.map((verdict, index) => (
          // Two expectations may have one name.
          <li key={`${index} ${verdict.name}`} class={verdict.status}>
            <VerdictRow verdict={verdict} />
          </li>
        ))}
      </ul>
    </>
  );
};

const VerdictRow = ({
  verdict: { status, name, expected, got, evidence },
}: {
  readonly verdict: Verdict;
}) => {
  const title = (
    <>
      <span class="sign" aria-hidden="true">
        {SIGNS[status]}
      </span>
      <span class="hidden">{status}: </span>
      {name}
    </>
  );
  if (status === "passed") return <p>{title}</p>;
  return (
    <details open>
      <summary>{title}</summary>
      <dl>
        <dt>expected</dt>
        <dd>{expected}</dd>
        <dt>got</dt>
        <dd>{got}</dd>
        {evidence?.death && (
          <>
            <dt>ended</dt>
            <dd>
              at {evidence.death.where}, {evidence.death.at.toFixed(6)} s: {evidence.death.why}
            </dd>
          </>
        )}
      </dl>
      {evidence && evidence.packets.length > 0 && (
        <PacketTable packets={evidence.packets} caption="The last packets that matter" />
      )}
    </details>
  );
};
