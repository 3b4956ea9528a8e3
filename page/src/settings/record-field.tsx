/** Records: the rows of a record, which may be off as a whole, and one of several kinds of records. */
import { useId } from "preact/hooks";
import type { Form, RecordForm, Row } from "./form.ts";
import { type FieldProps, problemAt, useForm } from "./form-context.ts";
import { Rows } from "./rows.tsx";
import { isOn, valueAt } from "./values.ts";

/** @param isBare whether the record is an item, which cannot be off. */
export const RecordField = ({
  row,
  path,
  value,
  form,
  isBare = false,
}: FieldProps & { readonly form: RecordForm }) => {
  const id = useId();
  const { change, problems } = useForm();
  const canBeOff = !isBare && !row.isRequired;
  const isShown = !canBeOff || isOn(value, row.otherwise);
  const problem = problemAt(problems, path);
  /** A record that is there by default is off as false. */
  const offValue = form.takesFlag && isOn(undefined, row.otherwise) ? false : undefined;
  return (
    <>
      {canBeOff && (
        <label class="check" for={id}>
          <input
            id={id}
            type="checkbox"
            checked={isShown}
            onChange={({ currentTarget: { checked } }) =>
              change(path, checked ? (form.takesFlag ? true : {}) : offValue)
            }
          />
          Use {row.label}
        </label>
      )}
      {problem && (
        <small class="problem" role="alert">
          {problem}
        </small>
      )}
      {isShown && <Rows rows={form.rows} path={path} value={value ?? row.otherwise} />}
    </>
  );
};

export const VariantsField = ({
  row,
  path,
  value,
  form,
}: FieldProps & { readonly form: Extract<Form, { kind: "variants" }> }) => {
  const { Field } = useForm();
  const { by, of } = form;
  const word = valueAt(value, [by]) ?? of[0]?.word;
  const chosen = of.find((each) => each.word === word);
  const choice: Row = {
    ...row,
    key: by,
    label: by.slice(0, 1).toUpperCase() + by.slice(1),
    about: "",
    otherwise: of[0]?.word,
    form: { kind: "choice", options: of.map((each) => each.word) },
  };
  return (
    <>
      <Field row={choice} path={[...path, by]} value={word} />
      {chosen && <Rows rows={chosen.form.rows} path={path} value={value} />}
    </>
  );
};
