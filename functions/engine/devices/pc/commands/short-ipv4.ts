/** IPv4 addresses with parts left out, as BSD reads them, in decimal: `10.5` is 10.0.0.5. */

/** The last part stands for all bytes that are left; null when the text is no address. */
export function parseShortIpv4(text: string): number | null {
  const parts = text.split(".");
  if (parts.length > 4 || !parts.every((part) => /^\d{1,10}$/.test(part))) return null;
  const numbers = parts.map(Number);
  const last = numbers.pop() as number;
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return null;
  return numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
}
