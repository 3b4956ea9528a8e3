/**
 * Fields of forms. The page draws a form anew while a user types or drags: what is typed stays until it is applied, and what the service
 * has refused stays with the reason.
 */
import { useId, useState } from "preact/hooks";

interface FieldProps<T> {
  readonly label: string;
  readonly value: T;
  /** A line of text shows what this returns, or resolves to, as the reason of a refusal; undefined is none. */
  readonly onChange: (value: T) => unknown;
}

interface NumberFieldProps extends FieldProps<number> {
  readonly min?: number;
  readonly max?: number;
}

interface NumberInputProps extends Omit<NumberFieldProps, "label"> {
  readonly id?: string;
  /** For an input without a label of its own. */
  readonly name?: string;
}

const NumberInput = ({ id, name, value, onChange, min, max }: NumberInputProps) => {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <input
      id={id}
      type="number"
      step={1}
      aria-label={name}
      value={draft ?? Math.round(value)}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => {
        if (!currentTarget.reportValidity()) return;
        if (currentTarget.value !== "") onChange(Math.round(currentTarget.valueAsNumber));
        setDraft(null);
      }}
      onBlur={({ currentTarget }) => {
        if (currentTarget.validity.valid) setDraft(null);
      }}
    />
  );
};

export const NumberField = ({ label, ...input }: NumberFieldProps) => {
  const id = useId();
  return (
    <label for={id}>
      {label}
      <NumberInput id={id} {...input} />
    </label>
  );
};

interface SliderFieldProps extends FieldProps<number> {
  readonly max: number;
  readonly unit: string;
  /** What a value does, in a sentence. */
  readonly meaning: (value: number) => string;
}

/** The value follows the hand, and is applied when the hand lets go. A number can be typed beside the slider. */
export const SliderField = ({ label, value, onChange, max, unit, meaning }: SliderFieldProps) => {
  const id = useId();
  const [draft, setDraft] = useState<number | null>(null);
  const shown = draft ?? value;
  return (
    <div class="slider">
      <span>
        <label for={id}>{label}</label>
        <b>
          <NumberInput
            name={unit === "" ? `${label}, as a number` : `${label} in ${unit}`}
            min={0}
            max={max}
            value={shown}
            onChange={onChange}
          />{" "}
          {unit}
        </b>
      </span>
      <input
        id={id}
        type="range"
        min={0}
        max={max}
        value={shown}
        aria-describedby={`${id}-meaning`}
        onInput={({ currentTarget }) => setDraft(currentTarget.valueAsNumber)}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.valueAsNumber);
          setDraft(null);
        }}
        onBlur={() => setDraft(null)}
      />
      <small id={`${id}-meaning`}>{meaning(shown)}</small>
    </div>
  );
};

interface LineFieldProps extends FieldProps<string> {
  readonly placeholder?: string;
}

/** A line of text, which is applied without spaces at its ends. */
export const LineField = ({ label, value, onChange, placeholder }: LineFieldProps) => {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const apply = async (typed: string) => {
    setProblem("");
    setDraft(null);
    const error = await onChange(typed.trim());
    if (error === undefined) return;
    // What was typed since is kept instead.
    setDraft((now) => now ?? typed);
    setProblem(error instanceof Error ? error.message : String(error));
  };
  return (
    <label>
      {label}
      <input
        value={draft ?? value}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem !== ""}
        aria-describedby={problem === "" ? undefined : `${id}-problem`}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => void apply(currentTarget.value)}
      />
      {problem !== "" && (
        <small id={`${id}-problem`} class="problem">
          {problem}
        </small>
      )}
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
          onChange(currentTarget.value);
          setDraft(null);
        }}
        onBlur={() => setDraft(null)}
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
