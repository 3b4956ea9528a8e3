/** The field of a row, by the kind of its form. */
import { hasLines } from "./form.ts";
import type { FieldProps } from "./form-context.ts";
import { JsonField } from "./json-field.tsx";
import { LinesField } from "./lines-field.tsx";
import { ListField } from "./list-field.tsx";
import { MapField } from "./map-field.tsx";
import { RecordField, VariantsField } from "./record-field.tsx";
import { ScalarField } from "./scalar-field.tsx";

export const Field = (field: FieldProps) => {
  const { form } = field.row;
  if (hasLines(form) || (form.kind === "text" && form.isLong)) return <LinesField {...field} />;
  switch (form.kind) {
    case "list":
      return <ListField {...field} form={form} />;
    case "record":
      return <RecordField {...field} form={form} />;
    case "map":
      return <MapField {...field} form={form} />;
    case "variants":
      return <VariantsField {...field} form={form} />;
    case "json":
      return <JsonField {...field} />;
    default:
      return <ScalarField {...field} />;
  }
};
