/** The five packet filters of a link. Each slider has a sentence that says what its value does. */
import type { Link } from "../api/types.ts";

type Filters = Link["filters"];

interface FilterFormProps {
  readonly link: Link;
  readonly onChange: (filters: Filters) => void;
}

interface SliderProps {
  readonly label: string;
  readonly max: number;
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
  readonly onChange: (value: number) => void;
}

const Slider = ({ label, max, value, unit, meaning, onChange }: SliderProps) => (
  <label class="slider">
    <span>
      {label}
      <b>
        {value} {unit}
      </b>
    </span>
    <input
      type="range"
      min={0}
      max={max}
      value={value}
      onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
    />
    <small>{meaning}</small>
  </label>
);

const numberAt = (filters: Filters, type: string, index = 0): number => Number(filters[type]?.[index] ?? 0);

/** Returns the filters with one of them changed, or removed if all its values are 0. */
function withFilter(filters: Filters, type: string, values: readonly (number | string)[]): Filters {
  const { [type]: _before, ...others } = filters;
  return values.every((value) => value === 0 || value === "") ? others : { ...others, [type]: [...values] };
}

export const FilterForm = ({ link: { filters }, onChange }: FilterFormProps) => {
  const set = (type: string, ...values: (number | string)[]) => onChange(withFilter(filters, type, values));
  const loss = numberAt(filters, "packet_loss");
  const corrupt = numberAt(filters, "corrupt");
  const latency = numberAt(filters, "delay");
  const jitter = numberAt(filters, "delay", 1);
  const frequency = numberAt(filters, "frequency_drop");
  return (
    <div class="filters">
      <h3>Filters</h3>
      <Slider
        label="Loss"
        max={100}
        value={loss}
        unit="%"
        meaning={
          loss === 0
            ? "No packet is dropped at random."
            : `About ${loss} of 100 packets are dropped, in each direction.`
        }
        onChange={(value) => set("packet_loss", value)}
      />
      <Slider
        label="Delay"
        max={1000}
        value={latency}
        unit="ms"
        meaning={
          latency === 0 ? "Packets arrive at once." : `A ping over this link takes ${2 * latency} ms longer.`
        }
        onChange={(value) => set("delay", value, value === 0 ? 0 : jitter)}
      />
      {latency > 0 && (
        <Slider
          label="Jitter"
          max={latency}
          value={jitter}
          unit="ms"
          meaning={`Each packet takes ${Math.max(0, latency - jitter)} to ${latency + jitter} ms.`}
          onChange={(value) => set("delay", latency, value)}
        />
      )}
      <Slider
        label="Corruption"
        max={100}
        value={corrupt}
        unit="%"
        meaning={corrupt === 0 ? "No packet is damaged." : `About ${corrupt} of 100 packets get a wrong bit.`}
        onChange={(value) => set("corrupt", value)}
      />
      <Slider
        label="Every nth dropped"
        max={100}
        value={Math.max(0, frequency)}
        unit=""
        meaning={
          frequency < 1
            ? "No packet is dropped by counting."
            : frequency === 1
              ? "Every packet is dropped."
              : `Packet ${frequency}, ${2 * frequency}, … are dropped.`
        }
        onChange={(value) => set("frequency_drop", value)}
      />
      <label>
        Drop packets that match
        <input
          value={String(filters.bpf?.[0] ?? "")}
          placeholder="icmp and host 10.0.0.2"
          spellcheck={false}
          onChange={(event) => set("bpf", event.currentTarget.value.trim())}
        />
      </label>
    </div>
  );
};
