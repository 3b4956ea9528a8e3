/** The settings of a switch's spanning tree; bounds and defaults are those of IEEE 802.1D-2004, tables 17-1 to 17-3 and 17.14. */
import { anyOf, checked, flag, integer, type Kind } from "../../../settings/kind.ts";
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { type DraftOf, defaultsOf, type SpecOf, setting } from "../../../settings/shape.ts";
import { record } from "../../../settings/words.ts";
import { bridgeMac } from "../bridge-mac.ts";
import { byPort, protocol } from "../settings/kinds.ts";

const steps = (step: number, max: number): Kind<number> => ({
  ...checked(integer(0, max), (value) =>
    value % step === 0 ? undefined : `must be a multiple of ${step}, not ${value}`,
  ),
  schema: () => ({ type: "integer", minimum: 0, maximum: max, multipleOf: step }),
});

const PORT = {
  cost: setting(integer(1, 200_000_000), 20_000, { about: "the default is that of a link of 1 Gb/s" }),
  priority: setting(steps(16, 240), 128),
  edge: setting(anyOf(true, false, "auto"), "auto", {
    about:
      "whether hosts alone are at the port; auto: it is taken for one when no BPDU has arrived 3 s after its link came up " +
      "(AutoEdge); true: at once (AdminEdge)",
  }),
  bpdu_guard: setting(flag, false, {
    about: "a BPDU that arrives turns the port off until its link or the switch has been down",
  }),
  root_guard: setting(flag, false, {
    about:
      "the port never leads to the root: better information makes it an alternate port (restrictedRole, IEEE 802.1Q, 13.25)",
  }),
} as const;
const port = record(PORT);

const RSTP = {
  mode: setting(anyOf("rstp", "stp"), "rstp", {
    about:
      "stp: sends the messages of the protocol before RSTP only, and waits as that does (ForceProtocolVersion 0)",
  }),
  priority: setting(steps(4_096, 61_440), 32_768),
  hello_time: setting(integer(1, 2), 2, { about: "seconds" }),
  max_age: setting(integer(6, 40), 20, { about: "seconds" }),
  forward_delay: setting(integer(4, 30), 15, { about: "seconds" }),
  ports: setting(byPort(port), {}, { about: "by port number; absent ports have the defaults" }),
} as const;

export type RstpPortSettings = SpecOf<typeof PORT>;
export type RstpSettings = SpecOf<typeof RSTP>;

export const RSTP_PORT_DEFAULTS: RstpPortSettings = defaultsOf(PORT);

function checkTimes(
  { hello_time, max_age, forward_delay }: DraftOf<typeof RSTP>,
  reader: PropertyReader,
  path: Path,
): void {
  if (!hello_time || !max_age || !forward_delay) return;
  const [most, least] = [2 * (forward_delay - 1), 2 * (hello_time + 1)];
  if (most < max_age)
    reader.add([...path, "max_age"], `must be at most 2 x (forward_delay - 1), which is ${most}`);
  if (max_age < least)
    reader.add([...path, "max_age"], `must be at least 2 x (hello_time + 1), which is ${least}`);
}

export const rstp = protocol(RSTP, {
  rules: checkTimes,
  more: ({ name }) => ({ mac: bridgeMac(name) }),
});
