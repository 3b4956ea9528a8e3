/** A packet's way, drawn hop by hop. */
import type { WayStep } from "./way.ts";

const FATES: Readonly<Record<WayStep["fate"], string>> = {
  passed: "",
  arrived: "✓ ",
  lost: "✗ ",
  unknown: "? ",
};

interface Properties {
  readonly steps: readonly WayStep[];
  readonly onShow: () => void;
}

export const WayView = ({ steps, onShow }: Properties) => (
  <section class="way" aria-label="The packet's way">
    <ol>
      {steps.map((step, index) => (
        // A way can pass a node twice.
        <li key={`${index} ${step.id}`} class={`way-${step.kind} way-${step.fate}`}>
          <strong>{step.name}</strong>
          <span>
            {FATES[step.fate]}
            {step.did}
          </span>
          {step.seconds !== undefined && <small>{step.seconds.toFixed(6)} s</small>}
        </li>
      ))}
    </ol>
    <button type="button" onClick={onShow}>
      Show on the map
    </button>
  </section>
);
