/** What the fields of a form share. */
import type { FunctionComponent } from "preact";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Problem } from "./draft.ts";
import type { Row } from "./form.ts";
import type { Path } from "./values.ts";

export interface FieldProps {
  readonly row: Row;
  readonly path: Path;
  readonly value: unknown;
  /** A column or a heading has its label. */
  readonly isBare?: boolean;
}

export interface FormParts {
  /** Undefined removes the value. */
  readonly change: (path: Path, value: unknown) => void;
  readonly problems: readonly Problem[];
  /** The names of the device's ports, by number. */
  readonly ports: readonly string[];
  /** The field of any row: fields that hold others draw them by it. */
  readonly Field: FunctionComponent<FieldProps>;
}

const Parts = createContext<FormParts | null>(null);
export const FormProvider = Parts.Provider;

export function useForm(): FormParts {
  const parts = useContext(Parts);
  if (parts === null) throw new Error("A field is outside of a form");
  return parts;
}

export const problemAt = (problems: readonly Problem[], path: Path): string | undefined =>
  problems.find((problem) => problem.path === path.join("."))?.message;
