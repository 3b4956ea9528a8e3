/** Times, rates, sizes and chances as people write them, read exactly: no value is rounded. */

/** A decimal number: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
  readonly unit: string;
}

const QUANTITY = /^([+-]?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]{1,3}))?\s*([a-zA-Zµ%]*)$/;

function parseDecimal(input: number | string): Decimal | undefined {
  const [, sign, whole, fraction = "", power = "0", unit = ""] = QUANTITY.exec(String(input).trim()) ?? [];
  if (whole === undefined || whole.length + fraction.length > 40) return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: sign === "-" ? -digits : digits, exponent: Number(power) - fraction.length, unit };
}

/** Returns the number times `factor` as a safe integer; undefined if it is not whole or too large. */
function scale({ digits, exponent }: Decimal, factor: number): number | undefined {
  if (Math.abs(exponent) > 60) return digits === 0n ? 0 : undefined;
  const product = digits * BigInt(factor);
  const power = 10n ** BigInt(Math.abs(exponent));
  if (exponent < 0 && product % power !== 0n) return undefined;
  const value = Number(exponent < 0 ? product / power : product * power);
  return Number.isSafeInteger(value) ? value : undefined;
}

type Units = Readonly<Record<string, number>>;

const TIME_NS: Units = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  "": 1e6,
  s: 1e9,
  sec: 1e9,
  m: 60e9,
  min: 60e9,
  h: 3600e9,
};

/** The units of `tc`, without `bps` and its multiples, which are bytes a second there and bits elsewhere. */
const RATE_BITS: Units = {
  "": 1,
  bit: 1,
  kbit: 1e3,
  mbit: 1e6,
  gbit: 1e9,
  tbit: 1e12,
  kibit: 1024,
  mibit: 1024 ** 2,
  gibit: 1024 ** 3,
};

const SIZE_BYTES: Units = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

const CHANCE_PPB: Units = { "": 1e7, "%": 1e7 };

const convert = (input: number | string, units: Units): number | undefined => {
  const decimal = parseDecimal(input);
  const factor =
    decimal && (Object.hasOwn(units, decimal.unit) ? units[decimal.unit] : units[decimal.unit.toLowerCase()]);
  return decimal && factor !== undefined ? scale(decimal, factor) : undefined;
};

/** Parses `12.5ms`, `250us`, `1s` to nanoseconds; a number alone is milliseconds. */
export const parseTimeNs = (input: number | string): number | undefined => convert(input, TIME_NS);

/** Parses `10mbit`, `512kbit` to bits a second; a number alone is bits a second. */
export const parseRateBps = (input: number | string): number | undefined => convert(input, RATE_BITS);

/** Parses `1500`, `32kB`, `64KiB` to bytes. */
export const parseSizeBytes = (input: number | string): number | undefined => convert(input, SIZE_BYTES);

/** Parses a percentage, `0.1%` or `0.1`, to parts per billion: the finest chance is 0.0000001 %. */
export const parseChancePpb = (input: number | string): number | undefined => convert(input, CHANCE_PPB);
