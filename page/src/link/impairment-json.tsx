/** The whole set of impairments as JSON: also bursts, queue disciplines, slots and schedules, for which the form has no fields. */
import { useId, useState } from "preact/hooks";
import type { Impairments } from "../api/types.ts";

interface ImpairmentJsonProps {
  readonly settings: Impairments;
  readonly onApply: (settings: Impairments) => void;
}

/** @throws Error in words that a user can read. */
function parse(text: string): Impairments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Impairments;
  throw new Error('The set must be an object, such as {"both": {"delay": "20ms"}}.');
}

export const ImpairmentJson = ({ settings, onApply }: ImpairmentJsonProps) => {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const text = draft ?? JSON.stringify(settings, null, 2);
  const apply = () => {
    try {
      onApply(parse(text));
      setDraft(null);
      setProblem("");
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <details>
      <summary>As JSON</summary>
      <label for={id} class="hidden">
        Impairments as JSON
      </label>
      <textarea
        id={id}
        rows={8}
        spellcheck={false}
        value={text}
        aria-invalid={problem !== ""}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <p id={`${id}-problem`} class="problem" role="status">
        {problem}
      </p>
      <button type="button" disabled={draft === null} onClick={apply}>
        Apply
      </button>
    </details>
  );
};
