/** FRR's form of how long something lasts: `00:01:30`, `1d02h03m`, `02w3d04h`. */
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");

export function uptime(us: number): string {
  const seconds = Math.floor(us / 1_000_000);
  if (seconds < DAY)
    return `${two(seconds / HOUR)}:${two((seconds % HOUR) / MINUTE)}:${two(seconds % MINUTE)}`;
  if (seconds < WEEK)
    return `${Math.floor(seconds / DAY)}d${two((seconds % DAY) / HOUR)}h${two((seconds % HOUR) / MINUTE)}m`;
  return `${two(seconds / WEEK)}w${Math.floor((seconds % WEEK) / DAY)}d${two((seconds % DAY) / HOUR)}h`;
}
