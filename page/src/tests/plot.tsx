/** A small plot over the time of a lab: lines of values in equal bins, or dots. */
import { niceTop, shortNumber } from "./plot-scale.ts";

interface Line {
  readonly name: string;
  /** A value for each bin. */
  readonly values: readonly number[];
}

interface Dot {
  /** From 0 to 1. */
  readonly share: number;
  readonly value: number;
}

interface PlotProps {
  readonly title: string;
  readonly unit: string;
  readonly lines?: readonly Line[];
  readonly dots?: readonly Dot[];
  /** The chosen time, from 0 to 1. */
  readonly atShare: number;
}

const WIDTH = 300;
const HEIGHT = 72;
/** The lines of a plot differ in colour and in dashes. */
const LINE_CLASSES = ["first", "second"];

export const Plot = ({ title, unit, lines = [], dots = [], atShare }: PlotProps) => {
  const values = [...lines.flatMap((line) => line.values), ...dots.map(({ value }) => value)];
  const top = niceTop(values.reduce((most, value) => Math.max(most, value), 0));
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const most = values.reduce((largest, value) => Math.max(largest, value), 0);
  return (
    <figure class="plot">
      <figcaption>
        {title}
        {lines.length > 1 &&
          lines.map(({ name }, index) => (
            <span key={name} class={`key ${LINE_CLASSES[index]}`}>
              {name}
            </span>
          ))}
        <span class="top">
          {shortNumber(top)}
          {unit}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: at most ${shortNumber(most)}${unit}`}
      >
        {lines.map(({ name, values: bins }, index) => (
          <path key={name} class={LINE_CLASSES[index] ?? ""} d={steps(bins, y)} />
        ))}
        {dots.map(({ share, value }, index) => (
          <path key={index} class="dot" d={`M${share * WIDTH} ${y(value)}h0`} />
        ))}
        <path class="now" d={`M${atShare * WIDTH} 0V${HEIGHT}`} />
      </svg>
    </figure>
  );
};

function steps(bins: readonly number[], y: (value: number) => number): string {
  const width = WIDTH / Math.max(1, bins.length);
  return bins
    .map((value, bin) => `${bin === 0 ? "M0 " : "V"}${y(value).toFixed(1)}H${((bin + 1) * width).toFixed(1)}`)
    .join("");
}
