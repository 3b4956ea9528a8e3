/** Fields of a form that is drawn again while the user types: what was typed stays until it is applied. */
import { useState } from "preact/hooks";

interface FieldProps<T> {
  readonly label: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
}

interface NumberFieldProps extends FieldProps<number> {
  readonly min?: number;
  readonly max?: number;
}

export const NumberField = ({ label, value, onChange, min, max }: NumberFieldProps) => {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label>
      {label}
      <input
        type="number"
        step={1}
        value={draft ?? Math.round(value)}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => {
          if (!currentTarget.reportValidity()) return;
          setDraft(null);
          if (currentTarget.value !== "") onChange(Math.round(currentTarget.valueAsNumber));
        }}
      />
    </label>
  );
};

export const TextField = ({ label, value, onChange }: FieldProps<string>) => {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label>
      {label}
      <textarea
        rows={3}
        value={draft ?? value}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => {
          setDraft(null);
          onChange(currentTarget.value);
        }}
      />
    </label>
  );
};

export const ColourField = ({ label, value, onChange }: FieldProps<string>) => (
  <label>
    {label}
    <input type="color" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  </label>
);
