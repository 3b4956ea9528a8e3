/** The rows of a record in a grid; those of more than one value are parts that open. */
import { hasLines, isScalar, type Row } from "./form.ts";
import { useForm } from "./form-context.ts";
import { Section } from "./section.tsx";
import { entriesOf, isOn, itemsOf, type Path, valueAt } from "./values.ts";

interface RowsProps {
  readonly rows: readonly Row[];
  readonly path: Path;
  readonly value: unknown;
  /** The parts that are open at first. */
  readonly open?: readonly string[];
}

const isSimple = ({ form }: Row): boolean => isScalar(form) || hasLines(form);

export const Rows = ({ rows, path, value, open = [] }: RowsProps) => {
  const { Field } = useForm();
  return (
    <div class="setting-rows">
      {rows.map((row) => {
        const own = valueAt(value, [row.key]);
        const at = [...path, row.key];
        if (isSimple(row)) return <Field key={row.key} row={row} path={at} value={own} />;
        return (
          <Section
            key={row.key}
            title={row.label}
            state={stateOf(row, own)}
            path={at}
            opensAtOnce={open.includes(row.key)}
          >
            {() => (
              <>
                {row.about !== "" && <small class="faint">{row.about}</small>}
                <Field row={row} path={at} value={own} />
              </>
            )}
          </Section>
        );
      })}
    </div>
  );
};

function stateOf({ form, otherwise }: Row, value: unknown): string {
  if (form.kind === "list") return count(itemsOf(value ?? otherwise).length);
  if (form.kind === "map") return count(entriesOf(value ?? otherwise).length);
  return isOn(value, otherwise) ? "on" : "off";
}

const count = (items: number): string => (items === 0 ? "none" : String(items));
