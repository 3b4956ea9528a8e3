/** The five packet filters of a link. Each slider has a sentence that says what its value does. */
import type { Link } from "../api/types.ts";
import { changeParts } from "../edit/change.ts";
import type { Lab } from "../lab/lab.ts";
import { fieldOf } from "../lab/part-edits.ts";
import { LineField, SliderField } from "../ui/fields.tsx";

interface FilterFormProps {
  readonly lab: Lab;
  readonly link: Link;
}

const numberAt = ({ filters }: Pick<Link, "filters">, type: string, index = 0): number =>
  Number(filters[type]?.[index] ?? 0);

const NAMES = {
  packet_loss: "loss",
  delay: "delay",
  corrupt: "corruption",
  frequency_drop: "drops by counting",
  bpf: "dropped packets",
};

export const FilterForm = ({ lab, link }: FilterFormProps) => {
  const { link_id: id } = link;
  /** A filter whose values are all 0 is removed. */
  const set = (type: keyof typeof NAMES, values: readonly (number | string)[]) => {
    const value = values.every((each) => each === 0 || each === "") ? undefined : values;
    return changeParts(
      lab,
      [{ kind: "link", id, path: ["filters", type], value }],
      `change the ${NAMES[type]} of a link`,
      true,
    );
  };
  /** Another change may have been made since this was drawn. */
  const delayNow = (index: number): number =>
    Number(fieldOf(lab.shown("link", id) ?? link, ["filters", "delay", String(index)]) ?? 0);
  const latency = numberAt(link, "delay");
  return (
    <div class="filters">
      <h3>Filters</h3>
      <SliderField
        label="Loss"
        max={100}
        value={numberAt(link, "packet_loss")}
        unit="%"
        meaning={(loss) =>
          loss === 0
            ? "No packet is dropped at random."
            : `About ${loss} of 100 packets are dropped, in each direction.`
        }
        onChange={(loss) => set("packet_loss", [loss])}
      />
      <SliderField
        label="Delay"
        max={1000}
        value={latency}
        unit="ms"
        meaning={(delay) =>
          delay === 0 ? "Packets arrive at once." : `A ping over this link takes ${2 * delay} ms longer.`
        }
        onChange={(delay) => set("delay", [delay, Math.min(delay, delayNow(1))])}
      />
      {latency > 0 && (
        <SliderField
          label="Jitter"
          max={latency}
          value={numberAt(link, "delay", 1)}
          unit="ms"
          meaning={(jitter) =>
            `Each packet takes ${Math.max(0, latency - jitter)} to ${latency + jitter} ms.`
          }
          onChange={(jitter) => set("delay", [delayNow(0), jitter])}
        />
      )}
      <SliderField
        label="Corruption"
        max={100}
        value={numberAt(link, "corrupt")}
        unit="%"
        meaning={(corrupt) =>
          corrupt === 0 ? "No packet is damaged." : `About ${corrupt} of 100 packets get a wrong bit.`
        }
        onChange={(corrupt) => set("corrupt", [corrupt])}
      />
      <SliderField
        label="Every nth dropped"
        max={100}
        value={Math.max(0, numberAt(link, "frequency_drop"))}
        unit=""
        meaning={(nth) =>
          nth === 0
            ? "No packet is dropped by counting."
            : nth === 1
              ? "Every packet is dropped."
              : `Packet ${nth}, ${2 * nth}, … are dropped.`
        }
        onChange={(nth) => set("frequency_drop", [nth])}
      />
      <LineField
        label="Drop packets that match"
        value={String(link.filters.bpf?.[0] ?? "")}
        placeholder="icmp and host 10.0.0.2"
        onChange={(expression) => set("bpf", [expression])}
      />
    </div>
  );
};
