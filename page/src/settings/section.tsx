/** A part of a form that opens: its heading shows what is in it, and how many problems. What is closed is not drawn. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isWithin } from "./draft.ts";
import { useForm } from "./form-context.ts";
import type { Path } from "./values.ts";

interface SectionProps {
  readonly title: string;
  /** A word or two. */
  readonly state: string;
  readonly path: Path;
  readonly opensAtOnce?: boolean;
  /** Beside the heading. */
  readonly action?: ComponentChildren;
  readonly children: () => ComponentChildren;
}

export const Section = ({ title, state, path, opensAtOnce = false, action, children }: SectionProps) => {
  const [isOpen, setOpen] = useState(opensAtOnce);
  const wrong = useForm().problems.filter(isWithin(path)).length;
  return (
    <div class="section wide">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="title">{title}</span>
          {wrong > 0 ? (
            <span class="problem">{wrong === 1 ? "1 problem" : `${wrong} problems`}</span>
          ) : (
            <span class="faint">{state}</span>
          )}
        </summary>
        {isOpen && <div class="section-body">{children()}</div>}
      </details>
      {action}
    </div>
  );
};
