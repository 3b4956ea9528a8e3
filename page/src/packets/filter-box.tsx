/** The box for a pcap-filter expression: completes words, and shows where an expression is wrong. */
import { useId, useRef, useState } from "preact/hooks";
import { type Completions, completionsAt, insertCompletion } from "./complete.ts";
import type { FilterProblem } from "./model.ts";

interface Properties {
  readonly problem: FilterProblem | undefined;
  readonly addresses: readonly string[];
  readonly onFilter: (expression: string) => void;
}

const NOTHING: Completions = { start: 0, end: 0, words: [] };
const MOST_SHOWN = 8;

export const FilterBox = ({ problem, addresses, onFilter }: Properties) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [offered, setOffered] = useState(NOTHING);
  const [active, setActive] = useState(-1);
  const words = offered.words.slice(0, MOST_SHOWN);

  const offer = (value: string): void => {
    setOffered(completionsAt(value, input.current!.selectionStart ?? value.length, addresses));
    setActive(-1);
  };
  const change = (value: string): void => {
    setText(value);
    onFilter(value);
  };
  const take = (word: string): void => {
    const inserted = insertCompletion(text, offered, word);
    change(inserted.text);
    const element = input.current!;
    element.value = inserted.text;
    element.focus();
    element.setSelectionRange(inserted.cursor, inserted.cursor);
    offer(inserted.text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === "Escape") setOffered(NOTHING);
    if (key === "Escape" || words.length === 0) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const by = key === "ArrowDown" ? 1 : -1;
      setActive((active + by + words.length) % words.length);
    } else if ((key === "Enter" || key === "Tab") && active >= 0) take(words[active]!.word);
    else return;
    event.preventDefault();
  };

  return (
    <div class="filter-box">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Filter packets (pcap-filter)"
        aria-autocomplete="list"
        aria-expanded={words.length > 0}
        aria-controls={`${id}-words`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && `${id}-problem`}
        placeholder="Filter: icmp and host 10.0.0.1"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          change(event.currentTarget.value);
          offer(event.currentTarget.value);
        }}
        onFocus={(event) => offer(event.currentTarget.value)}
        onBlur={() => setOffered(NOTHING)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-words`} role="listbox" aria-label="Completions" hidden={words.length === 0}>
        {words.map(({ word, about }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus, and names its active completion
          <div
            key={word}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The box keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(word)}
          >
            <code>{word}</code> <span>{about}</span>
          </div>
        ))}
      </div>
      {problem && (
        <div id={`${id}-problem`} class="filter-problem" role="alert">
          <pre>
            {text.split("\n")[problem.line - 1]}
            {"\n"}
            {" ".repeat(problem.column - 1)}^
          </pre>
          {problem.message}
        </div>
      )}
    </div>
  );
};
