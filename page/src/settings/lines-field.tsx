/** A text of several lines: a script, a file, or a list with an item on each line. Lines have numbers, and problems name them. */
import { useId, useRef, useState } from "preact/hooks";
import { isWithin } from "./draft.ts";
import { type FieldProps, problemAt, useForm } from "./form-context.ts";
import { linesOf, parseLines, parseText, textOf } from "./values.ts";

const MOST_ROWS = 16;

export const LinesField = ({ row, path, value, isBare = false }: FieldProps) => {
  const id = useId();
  const numbers = useRef<HTMLPreElement>(null);
  const { change, problems } = useForm();
  const [draft, setDraft] = useState<string | null>(null);
  const { form } = row;
  const isList = form.kind === "list";
  const text = draft ?? (isList ? linesOf(value) : textOf(value));
  const lines = text.split("\n");
  const own = problemAt(problems, path);
  const wrong = lines.flatMap((_line, index) => {
    const message = problemAt(problems, [...path, index]);
    return message === undefined ? [] : [{ number: index + 1, message }];
  });
  const isWrong = problems.some(isWithin(path));
  const about = [row.about, isList ? "one per line" : ""].filter(Boolean).join("; ");
  return (
    <div class="setting wide">
      {!isBare && <label for={id}>{row.label}</label>}
      <div class="lines">
        <pre ref={numbers} aria-hidden="true">
          {lines.map((_line, index) => `${index + 1}`).join("\n")}
        </pre>
        <textarea
          id={id}
          rows={Math.min(Math.max(lines.length, isList ? 1 : 3), MOST_ROWS)}
          value={text}
          placeholder={isList && form.item.kind === "text" ? form.item.hint : ""}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          aria-label={isBare ? row.label : undefined}
          aria-invalid={isWrong}
          aria-describedby={`${id}-about`}
          onScroll={({ currentTarget }) => {
            if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop;
          }}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
          onChange={({ currentTarget }) => {
            setDraft(null);
            change(
              path,
              isList ? parseLines(form.item, currentTarget.value) : parseText(form, currentTarget.value),
            );
          }}
        />
      </div>
      <small id={`${id}-about`} class={isWrong ? "problem" : "faint"}>
        {own ?? (wrong.length > 0 ? "" : about)}
        {wrong.map(({ number, message }) => (
          <span key={number} class="line-problem">
            Line {number}: {message}
          </span>
        ))}
      </small>
    </div>
  );
};
