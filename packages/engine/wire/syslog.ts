/** Syslog over UDP (RFC 5424, RFC 5426): a line of text with a priority before it. */
import type { Protocol } from "./protocol.ts";
import { rowsAt } from "./show.ts";

export const SYSLOG_PORT = 514;

const SEVERITIES = ["emergency", "alert", "critical", "error", "warning", "notice", "information", "debug"];
const PRIORITY = /^<(\d{1,3})>/;

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export const SYSLOG: Protocol = {
  name: "Syslog",
  isGuess: true,
  length: ({ at, end }) => end - at,
  check: ({ bytes, at, end }) =>
    PRIORITY.test(textOf(bytes.subarray(at, end))) ? undefined : { text: "syslog without a priority" },
  list: (place) => {
    const { bytes, at, end } = place;
    const [head, digits] = PRIORITY.exec(textOf(bytes.subarray(at, end))) ?? [];
    if (head === undefined) return [];
    const priority = Number(digits);
    const named = `${priority} (facility ${priority >> 3}, ${SEVERITIES[priority & 7]})`;
    return rowsAt(place, at, [
      ["Priority", 0, head.length, () => named],
      ["Message", head.length, end - at - head.length, (_, start) => textOf(bytes.subarray(start, end))],
    ]);
  },
};
