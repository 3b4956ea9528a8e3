/** The shapes of marks: each differs from the others without its colour. */
import type { ComponentChildren } from "preact";
import type { MarkKind } from "./marks.ts";

const SHAPES: Readonly<Record<MarkKind, ComponentChildren>> = {
  // Two bars.
  suspended: <path d="M5.5 4.5v7M10.5 4.5v7" />,
  // A funnel.
  filtered: <path d="M3.5 4.5h9L9.2 8.6v3.6l-2.4-1.3V8.6z" />,
  // A zigzag.
  impaired: <path d="M2.8 10.2 5.4 5.6l2.6 4.6 2.6-4.6 2.6 4.6" />,
  // An arrow that falls to the ground.
  losing: <path d="M8 3.4v5.4M5.4 6.6 8 9.2l2.6-2.6M4.4 12h7.2" />,
  // A disc.
  capturing: <circle cx="8" cy="8" r="3.6" fill="currentColor" />,
};

export const MarkIcon = ({ kind }: { readonly kind: MarkKind }) => (
  <svg class={`mark mark-${kind}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <circle class="mark-ground" cx="8" cy="8" r="7.4" />
    {SHAPES[kind]}
  </svg>
);
