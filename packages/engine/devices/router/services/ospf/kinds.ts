/** Kinds of values that the settings of OSPF share: areas, types of metrics. */
import { choice, integer, type Kind, spelled } from "../../../../settings/kind.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";

const MAX_AREA = 0xffff_ffff;
const NUMBER = /^\d{1,10}$/;

/** The number of an area; null for other text. */
export function parseArea(text: string): number | null {
  const area = NUMBER.test(text) ? Number(text) : parseIpv4(text);
  return area !== null && area <= MAX_AREA ? area : null;
}

/** An area is a number, or written as an address: it stays as it is typed. */
const normal = (text: string): string | null => {
  const area = parseArea(text);
  if (area === null) return null;
  return NUMBER.test(text) ? String(area) : formatIpv4(area);
};

const areaText = spelled("an area: a number or an address", normal, { placeholder: "AREA" });

export const area: Kind<string> = {
  ...areaText,
  read: (reader, value, path, context) =>
    areaText.read(reader, typeof value === "number" ? String(value) : value, path, context),
  schema: () => ({ anyOf: [{ type: "integer", minimum: 0, maximum: MAX_AREA }, { type: "string" }] }),
};

/** `area 1` behind a prefix. */
export const inArea: Kind<string> = {
  ...area,
  placeholder: "area AREA",
  words: (value) => `area ${value}`,
  parse: ([word, ...rest]) => (word?.toLowerCase() === "area" ? area.parse(rest) : undefined),
};

export const metric = integer(0, 16_777_214);
export const metricType = choice("1", "2");
