/** A value that has no field of its own, as JSON. */
import { useId, useState } from "preact/hooks";
import { type FieldProps, problemAt, useForm } from "./form-context.ts";

export const JsonField = ({ row, path, value }: FieldProps) => {
  const id = useId();
  const { change, problems } = useForm();
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState("");
  const problem = fault || problemAt(problems, path);
  const apply = (typed: string) => {
    try {
      change(path, typed.trim() === "" ? undefined : JSON.parse(typed));
      setFault("");
      setDraft(null);
    } catch (error) {
      setFault(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div class="setting wide">
      <label for={id}>{row.label} as JSON</label>
      <textarea
        id={id}
        rows={4}
        value={draft ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        spellcheck={false}
        aria-invalid={Boolean(problem)}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => apply(currentTarget.value)}
      />
      <small id={`${id}-about`} class={problem ? "problem" : "faint"}>
        {problem || row.about}
      </small>
    </div>
  );
};
