/** Formats a moment as in RFC 5424, section 6.2.3: `2026-01-01T00:00:00.000125Z`. */

const DAY_SECONDS = 86_400;

/** @param nowUs microseconds since 1970-01-01 UTC. */
export function formatTimestamp(nowUs: number): string {
  const seconds = Math.floor(nowUs / 1_000_000);
  const [year, month, day] = dateOf(Math.floor(seconds / DAY_SECONDS));
  const ofDay = seconds % DAY_SECONDS;
  const time = [Math.floor(ofDay / 3_600), Math.floor(ofDay / 60) % 60, ofDay % 60].map((each) =>
    padded(each, 2),
  );
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${time.join(":")}.${padded(nowUs % 1_000_000, 6)}Z`;
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, "0");

/**
 * Returns year, month and day of a day since 1970-01-01. Years begin in March, so that leap days are at their ends (Howard Hinnant,
 * "chrono-compatible low-level date algorithms").
 */
function dateOf(days: number): [year: number, month: number, day: number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}
