/** LLDP (IEEE 802.1AB): a field for each TLV. */
import { readU16 } from "../../base/bytes.ts";
import { capabilityNames, LLDP_TLV, readChassisId, readPortId, splitTlvs, type Tlv } from "../lldp.ts";
import { type Field, makeLayer, named, type Reader } from "./layer.ts";

const LABELS: Readonly<Record<number, string>> = {
  [LLDP_TLV.end]: "End",
  [LLDP_TLV.chassis]: "Chassis",
  [LLDP_TLV.port]: "Port",
  [LLDP_TLV.ttl]: "Time to live",
  [LLDP_TLV.portDescription]: "Port description",
  [LLDP_TLV.systemName]: "System name",
  [LLDP_TLV.systemDescription]: "System description",
  [LLDP_TLV.capabilities]: "Capabilities",
  8: "Management address",
  127: "Organization",
};

export const readLldp: Reader = (bytes, at, end) => {
  const tlvs = splitTlvs(bytes, at, end) ?? [];
  const last = tlvs.at(-1);
  const length = last === undefined ? end - at : last.at + 2 + last.value.length - at;
  return { layer: makeLayer("LLDP", at, length, end, tlvs.map(fieldOf)) };
};

const fieldOf = (tlv: Tlv): Field => ({
  label: LABELS[tlv.type] ?? `TLV ${tlv.type}`,
  value: shown(tlv),
  at: tlv.at,
  length: 2 + tlv.value.length,
});

function shown({ type, value }: Tlv): string {
  switch (type) {
    case LLDP_TLV.chassis:
    case LLDP_TLV.port: {
      if (value.length < 2) break;
      const { kind, id } = type === LLDP_TLV.chassis ? readChassisId(value) : readPortId(value);
      return named(id, kind);
    }
    case LLDP_TLV.ttl:
      if (value.length >= 2) return `${readU16(value, 0)} s`;
      break;
    case LLDP_TLV.portDescription:
    case LLDP_TLV.systemName:
    case LLDP_TLV.systemDescription:
      return new TextDecoder().decode(value);
    case LLDP_TLV.capabilities:
      if (value.length >= 4)
        return named(
          capabilityNames(readU16(value, 0)).join(", "),
          `on: ${capabilityNames(readU16(value, 2)).join(", ")}`,
        );
      break;
  }
  return `${value.length} bytes`;
}
