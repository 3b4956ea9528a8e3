/** The form of impairments changes what it shows, and keeps the rest of a set. */
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import { expect, test } from "vitest";
import {
  FORM_FIELDS,
  rangeOf,
  readField,
  withField,
  withKey,
} from "../../../../page/src/link/impairment-fields.ts";

const field = (label: string) => FORM_FIELDS.find((each) => each.label === label)!;

test("sets a parameter of an empty set, and removes it again", () => {
  const set = withField({}, "both", field("Loss"), " 1.5% ");
  expect(set).toEqual({ both: { loss: { random: { chance: "1.5%" } } } });
  expect(withField(set, "both", field("Loss"), "")).toEqual({});
});

test("keeps what the form does not show", () => {
  const set = {
    both: { delay: { delay: "20ms", distribution: "normal" }, loss: { gilbert_elliott: { p: "1%" } } },
    schedule: [{ at: "30s", flap: { down: "2s" } }],
  };
  const changed = withField(withField(set, "both", field("Jitter"), "3ms"), "both", field("Loss"), "2%");
  expect(changed).toEqual({
    both: {
      delay: { delay: "20ms", jitter: "3ms", distribution: "normal" },
      loss: { gilbert_elliott: { p: "1%" }, random: { chance: "2%" } },
    },
    schedule: set.schedule,
  });
});

test("reads and changes values in their short form", () => {
  const set = { both: { delay: "20ms", loss: "1%", queue: 500 } };
  expect(["Delay", "Loss", "Queue limit"].map((name) => readField(set, "both", field(name)).own)).toEqual([
    "20ms",
    "1%",
    "500",
  ]);
  expect(withField(set, "both", field("Jitter"), "2ms").both).toEqual({
    ...set.both,
    delay: { delay: "20ms", jitter: "2ms" },
  });
});

test("removes the rest of an impairment with the field that it requires", () => {
  const set = { both: { duplicate: { chance: "1%", correlation: "10%" } } };
  expect(withField(set, "both", field("Duplicates"), "")).toEqual({});
});

test("shows in a direction what both directions and the preset give it, and starts from that", () => {
  const set = { preset: "leo-satellite", both: { mtu: 1400 } };
  expect(readField(set, "a_to_b", field("MTU"))).toEqual({ own: "", otherwise: "1400" });
  expect(readField(set, "a_to_b", field("Rate"))).toEqual({ own: "", otherwise: "10mbit" });
  expect(readField(set, "b_to_a", field("Rate"))).toEqual({ own: "", otherwise: "100mbit" });
  const changed = withField(set, "a_to_b", field("Delay"), "30ms");
  expect(changed).toEqual({
    ...set,
    a_to_b: { delay: { delay: "30ms", jitter: "5ms", distribution: "normal", keep_order: true } },
  });
  expect(readField({ ...set, both: { delay: null } }, "a_to_b", field("Delay")).otherwise).toBe("");
});

test("sends numbers of packets and bytes as numbers, and wrong ones as they were typed", () => {
  expect(withField({}, "both", field("MTU"), "1400")).toEqual({ both: { mtu: { bytes: 1400 } } });
  expect(withField({}, "both", field("MTU"), "big")).toEqual({ both: { mtu: { bytes: "big" } } });
});

test("the service accepts the example of each field", () => {
  for (const each of FORM_FIELDS) {
    const parsed = parseImpairments(withField({}, "a_to_b", each, each.example));
    expect(parsed, each.label).toMatchObject({ ok: true });
  }
});

test("names the bounds of each field", () => {
  expect(["Delay", "Loss", "Rate", "Queue limit", "MTU"].map((name) => rangeOf(field(name)))).toEqual([
    "0 to 3,600,000 ms",
    "0 to 100 %",
    "1 bit/s to 1 Tbit/s",
    "1 to 100,000 packets",
    "68 to 65,535 bytes",
  ]);
});

test("an empty object removes its key", () => {
  expect(withKey({ preset: "lte", both: { mtu: 1400 } }, "both", {})).toEqual({ preset: "lte" });
});
