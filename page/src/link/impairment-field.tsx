/** One parameter of a direction, with its bounds, and what the service says against the value. */
import { useId, useState } from "preact/hooks";
import type { Impairments } from "../api/types.ts";
import { type Direction, type FormField, rangeOf, readField } from "./impairment-fields.ts";

interface ImpairmentFieldProps {
  readonly settings: Impairments;
  readonly direction: Direction;
  readonly field: FormField;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

export const ImpairmentField = ({ settings, direction, field, problem, onChange }: ImpairmentFieldProps) => {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const { own, otherwise } = readField(settings, direction, field);
  return (
    <div class="impairment-field">
      <label for={id}>{field.label}</label>
      <input
        id={id}
        value={draft ?? own}
        placeholder={otherwise === "" ? `e.g. ${field.example}` : `inherits ${otherwise}`}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => {
          setDraft(null);
          onChange(currentTarget.value);
        }}
      />
      <small id={`${id}-about`} class={problem === undefined ? "faint" : "problem"}>
        {problem ?? rangeOf(field)}
      </small>
    </div>
  );
};
