/** Values by names, or by ports. */
import { useId, useState } from "preact/hooks";
import { type Form, isScalar, type Row } from "./form.ts";
import { type FieldProps, problemAt, useForm } from "./form-context.ts";
import { entriesOf, newItem } from "./values.ts";

type MapForm = Extract<Form, { kind: "map" }>;

export const MapField = ({ row, path, value, form }: FieldProps & { readonly form: MapForm }) => {
  const { change, problems, ports, Field } = useForm();
  const entries = entriesOf(value ?? row.otherwise);
  const nameOf = (key: string): string => (form.isByPort ? (ports[Number(key)] ?? key) : key);
  const own = problemAt(problems, path);
  const remove = (name: string) => {
    const kept = entries.filter(([key]) => key !== name);
    change(path, kept.length === 0 ? undefined : Object.fromEntries(kept));
  };
  const add = (name: string) => {
    if (name !== "" && !entries.some(([key]) => key === name))
      change(path, Object.fromEntries([...entries, [name, newItem(form.value)]]));
  };
  return (
    <>
      {entries.map(([key, each]) => {
        const label = nameOf(key);
        const within: Row = { ...row, key, label, about: "", otherwise: undefined, form: form.value };
        return (
          <div key={key} class="entry">
            <b>{label}</b>
            <button
              type="button"
              class="quiet remove"
              aria-label={`Remove ${label}`}
              title="Remove"
              onClick={() => remove(key)}
            >
              ×
            </button>
            <Field row={within} path={[...path, key]} value={each} isBare />
            {isScalar(form.value) && problemAt(problems, [...path, key]) && (
              <small class="problem" role="alert">
                {problemAt(problems, [...path, key])}
              </small>
            )}
          </div>
        );
      })}
      {own && (
        <small class="problem" role="alert">
          {own}
        </small>
      )}
      <AddEntry row={row} form={form} taken={entries.map(([key]) => key)} onAdd={add} />
    </>
  );
};

interface AddEntryProps {
  readonly row: Row;
  readonly form: MapForm;
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
}

const AddEntry = ({ row, form, taken, onAdd }: AddEntryProps) => {
  const id = useId();
  const { ports } = useForm();
  const [name, setName] = useState("");
  const free = ports.flatMap((port, index) => (taken.includes(String(index)) ? [] : [{ port, index }]));
  const add = () => {
    onAdd(form.isByPort ? name || String(free[0]?.index ?? "") : name.trim());
    setName("");
  };
  if (form.isByPort && free.length === 0) return null;
  return (
    <div class="add-entry">
      <label class="hidden" for={id}>
        {form.isByPort ? `Port to add to ${row.label}` : `Name to add to ${row.label}`}
      </label>
      {form.isByPort ? (
        <select id={id} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
          {free.map(({ port, index }) => (
            <option key={index} value={String(index)}>
              {port}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={name}
          placeholder="name"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      <button type="button" aria-label={`Add to ${row.label}`} onClick={add}>
        Add
      </button>
    </div>
  );
};
