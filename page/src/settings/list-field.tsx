/** Lists: a table if the items are short records, else a part that opens for each item. */
import { columnsOf, type Form, type Row } from "./form.ts";
import { type FieldProps, problemAt, useForm } from "./form-context.ts";
import { newPort, numberedPorts, PORTS_MAPPING } from "./ports-mapping.ts";
import { Section } from "./section.tsx";
import { itemsOf, newItem, type Path, type Properties, textOf, valueAt } from "./values.ts";

type ListForm = Extract<Form, { kind: "list" }>;
type ListProps = FieldProps & { readonly form: ListForm };

/** Changes a list as a whole: an item has no name but its place. */
function useItems({ row, path, value }: FieldProps) {
  const { change } = useForm();
  const items = itemsOf(value);
  const replace = (next: readonly unknown[]) =>
    change(path, row.key === PORTS_MAPPING ? numberedPorts(next) : next.length === 0 ? undefined : next);
  return {
    items,
    add: (item: unknown) => replace([...items, item]),
    remove: (at: number) => replace(items.filter((_item, index) => index !== at)),
  };
}

export const ListField = (field: ListProps) => {
  const columns = columnsOf(field.form);
  return columns === undefined ? <ItemList {...field} /> : <ItemTable {...field} columns={columns} />;
};

const AddButton = ({ row, onClick }: { readonly row: Row; readonly onClick: () => void }) => (
  <button type="button" class="add" aria-label={`Add to ${row.label}`} onClick={onClick}>
    Add
  </button>
);

const RemoveButton = ({ what, onClick }: { readonly what: string; readonly onClick: () => void }) => (
  <button type="button" class="quiet remove" aria-label={`Remove ${what}`} title="Remove" onClick={onClick}>
    ×
  </button>
);

const ItemTable = ({ columns, ...field }: ListProps & { readonly columns: readonly Row[] }) => {
  const { row, path, form } = field;
  const { problems, Field } = useForm();
  const { items, add, remove } = useItems(field);
  const shown = row.key === PORTS_MAPPING ? columns.filter(({ key }) => key !== "port_number") : columns;
  const wrong = items.flatMap((_item, index) =>
    shown.flatMap(({ key, label }) => {
      const message = problemAt(problems, [...path, index, key]);
      return message === undefined ? [] : [`${nameOf(row, items[index], index)}, ${label}: ${message}`];
    }),
  );
  const own = problemAt(problems, path);
  return (
    <>
      {items.length > 0 && (
        <div class="setting-table">
          <table>
            <thead>
              <tr>
                {shown.map(({ key, label, about }) => (
                  <th key={key} scope="col" title={about}>
                    {label}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {items.map((item, index) => (
                <tr key={index}>
                  {shown.map((column) => (
                    <td key={column.key} class={column.form.kind}>
                      <Field
                        row={{ ...column, label: `${column.label} of ${nameOf(row, item, index)}` }}
                        path={[...path, index, column.key]}
                        value={valueAt(item, [column.key])}
                        isBare
                      />
                    </td>
                  ))}
                  <td>
                    <RemoveButton what={nameOf(row, item, index)} onClick={() => remove(index)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {[own, ...wrong].filter(Boolean).map((words) => (
        <small key={words} class="problem" role="alert">
          {words}
        </small>
      ))}
      {items.length < form.max && (
        <AddButton
          row={row}
          onClick={() => add(row.key === PORTS_MAPPING ? newPort(items, columns) : newItem(form.item))}
        />
      )}
    </>
  );
};

const ItemList = (field: ListProps) => {
  const { row, path, form } = field;
  const { problems, ports, Field } = useForm();
  const { items, add, remove } = useItems(field);
  const own = problemAt(problems, path);
  return (
    <>
      {items.map((item, index) => {
        const port = isOfPorts(path) ? ports[index] : undefined;
        const name = port ?? nameOf(row, item, index);
        const within = { ...row, key: String(index), label: name, about: "", otherwise: undefined };
        return (
          <Section
            key={index}
            title={name}
            state={summaryOf(item)}
            path={[...path, index]}
            action={<RemoveButton what={name} onClick={() => remove(index)} />}
          >
            {() => <Field row={{ ...within, form: form.item }} path={[...path, index]} value={item} isBare />}
          </Section>
        );
      })}
      {own && (
        <small class="problem" role="alert">
          {own}
        </small>
      )}
      {items.length < form.max && <AddButton row={row} onClick={() => add(newItem(form.item))} />}
    </>
  );
};

const NAMES = ["name", "to", "subnet", "mac", "id"];

/** An item by the value that names it, else by its number. */
const nameOf = ({ label }: Row, item: unknown, index: number): string =>
  NAMES.map((name) => textOf(valueAt(item, [name]))).find(Boolean) ?? `${label} ${index + 1}`;

/** Lists of the names of the device's ports have an item for each. */
const isOfPorts = (path: Path): boolean => path.length === 1 && path[0] === "ports";

const MOST_SHOWN = 2;

/** The first values of an item that are texts or numbers. */
function summaryOf(item: unknown): string {
  const values = Array.isArray(item)
    ? item
    : Object.entries((item ?? {}) as Properties).flatMap(([key, value]) =>
        NAMES.includes(key) ? [] : [value],
      );
  return values
    .filter((value) => typeof value === "string" || typeof value === "number")
    .slice(0, MOST_SHOWN)
    .join(", ");
}
