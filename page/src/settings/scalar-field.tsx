/** Fields of one value: what is typed stays until it is applied, and what a reader refuses stays with its words. */
import { useId, useState } from "preact/hooks";
import type { Form, Row } from "./form.ts";
import { type FieldProps, problemAt, useForm } from "./form-context.ts";
import { isOn, optionOf, parseText, rangeOf, textOf } from "./values.ts";

const placeholderOf = ({ otherwise, isRequired, form }: Row): string =>
  otherwise !== undefined && otherwise !== ""
    ? textOf(otherwise)
    : form.kind === "text"
      ? form.hint
      : isRequired
        ? "required"
        : "";

/** The words below a control: what is wrong, else the row's own words and the range. */
const Words = ({ id, row, problem }: { id: string; row: Row; problem: string | undefined }) => {
  const about = [row.about, rangeOf(row)].filter(Boolean).join("; ");
  if (problem === undefined && about === "") return null;
  return (
    <small id={id} class={problem === undefined ? "faint" : "problem"}>
      {problem ?? about}
    </small>
  );
};

export const ScalarField = (field: FieldProps) => {
  const { form } = field.row;
  if (form.kind === "flag") return <FlagField {...field} />;
  if (form.kind === "choice") return <ChoiceField {...field} options={form.options} />;
  return <TextField {...field} form={form} />;
};

const FlagField = ({ row, path, value, isBare = false }: FieldProps) => {
  const id = useId();
  const { change, problems } = useForm();
  const problem = problemAt(problems, path);
  const box = (
    <input
      id={id}
      type="checkbox"
      checked={isOn(value, row.otherwise)}
      aria-label={isBare ? row.label : undefined}
      aria-describedby={isBare ? undefined : `${id}-about`}
      onChange={({ currentTarget: { checked } }) => change(path, checked)}
    />
  );
  if (isBare) return box;
  return (
    <div class="setting">
      <label class="check" for={id}>
        {box}
        {row.label}
      </label>
      <Words id={`${id}-about`} row={row} problem={problem} />
    </div>
  );
};

type Options = Extract<Form, { kind: "choice" }>["options"];

const ChoiceField = ({
  row,
  path,
  value,
  options,
  isBare = false,
}: FieldProps & { readonly options: Options }) => {
  const id = useId();
  const { change, problems } = useForm();
  const problem = problemAt(problems, path);
  const shown = value ?? row.otherwise;
  const select = (
    <select
      id={id}
      value={shown === undefined ? "-" : String(shown)}
      aria-label={isBare ? row.label : undefined}
      aria-invalid={problem !== undefined}
      aria-describedby={isBare ? undefined : `${id}-about`}
      onChange={({ currentTarget }) => change(path, optionOf(options, currentTarget.value))}
    >
      {(row.otherwise === undefined || shown === undefined) && <option value="-">–</option>}
      {options.map((option) => (
        <option key={String(option)} value={String(option)}>
          {option === "" ? "default" : String(option)}
        </option>
      ))}
    </select>
  );
  if (isBare) return select;
  return (
    <div class="setting">
      <label for={id}>{row.label}</label>
      {select}
      <Words id={`${id}-about`} row={row} problem={problem} />
    </div>
  );
};

const TextField = ({ row, path, value, form, isBare = false }: FieldProps & { readonly form: Form }) => {
  const id = useId();
  const { change, problems } = useForm();
  const [draft, setDraft] = useState<string | null>(null);
  const problem = problemAt(problems, path);
  const input = (
    <input
      id={id}
      value={draft ?? textOf(value)}
      placeholder={placeholderOf(row)}
      inputMode={form.kind === "integer" ? "numeric" : undefined}
      spellcheck={false}
      autocomplete="off"
      aria-label={isBare ? row.label : undefined}
      aria-invalid={problem !== undefined}
      aria-describedby={isBare ? undefined : `${id}-about`}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => {
        setDraft(null);
        change(path, parseText(form, currentTarget.value));
      }}
    />
  );
  if (isBare) return input;
  return (
    <div class="setting">
      <label for={id}>{row.label}</label>
      {input}
      <Words id={`${id}-about`} row={row} problem={problem} />
    </div>
  );
};
