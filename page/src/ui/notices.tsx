/** Short messages about what has failed or was done. */
import { signal } from "@preact/signals";

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
  readonly action?: NoticeAction;
}

export interface NoticeAction {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

const SHOWN_MS = 5000;
const notices = signal<readonly Notice[]>([]);
let last = 0;

export function notify(text: string, isProblem = false): void {
  const id = ++last;
  notices.value = [...notices.value.slice(-3), { id, text, isProblem }];
  // The time begins with the first frame that has the notice: a hidden tab keeps what nobody could read.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => dismiss(id), SHOWN_MS)));
}

/** Shows a message that stays until it is dismissed. @returns a function that dismisses it. */
export function notifyWithAction(text: string, action: NoticeAction): () => void {
  const id = ++last;
  notices.value = [...notices.value.slice(-3), { id, text, isProblem: false, action }];
  return () => dismiss(id);
}

/** Shows the message of an error. */
export const report = (error: unknown): void =>
  notify(error instanceof Error ? error.message : String(error), true);

/** Runs an action; its error becomes a notice. */
export function attempt(action: () => Promise<unknown>): void {
  action().catch(report);
}

const dismiss = (id: number): void => {
  notices.value = notices.value.filter((notice) => notice.id !== id);
};

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {notices.value.map(({ id, text, isProblem, action }) => (
      <div key={id} class={isProblem ? "notice problem" : "notice"}>
        <span>{text}</span>
        {action && (
          <button
            type="button"
            onClick={() => {
              dismiss(id);
              attempt(action.run);
            }}
          >
            {action.name}
          </button>
        )}
        <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
          ×
        </button>
      </div>
    ))}
  </div>
);
