/** The settings of TCP. */
import { anyOf, flag, integer, type Kind, unspoken } from "../../settings/kind.ts";
import { defaultsOf, type SpecOf, setting, unlessUsual } from "../../settings/shape.ts";
import { record } from "../../settings/words.ts";
import { ALGORITHM_WORDS, type Algorithm, isAlgorithm } from "./algorithms.ts";

export const algorithm: Kind<Algorithm> = unspoken(
  (reader, value, path) =>
    isAlgorithm(value) ? value : reader.add(path, `must be one of ${ALGORITHM_WORDS.join(", ")}`),
  { enum: ALGORITHM_WORDS },
);

const TCP = {
  congestion: setting(algorithm, "cubic"),
  receive_buffer: setting(integer(2_048, 67_108_864), 4_194_304, {
    about: "bytes",
    name: "receiveBufferBytes",
  }),
  window_scaling: setting(flag, true, {
    about: "whether window scaling (RFC 7323) is offered; without it, windows end at 65,535 bytes",
    name: "windowScaling",
  }),
  timestamps: setting(flag, true),
  sack: setting(flag, true),
  ecn: unlessUsual(anyOf("on", "accept", "off"), "accept", {
    about: "accept is Linux's default: a connection uses ECN if its peer opens it so",
  }),
  hystart: unlessUsual(flag, false, {
    about: "slow start ends when the round trip grows; false: at a loss",
  }),
} as const;

export const tcp = record(TCP);
export type TcpSettings = SpecOf<typeof TCP>;
export const DEFAULT_TCP: TcpSettings = defaultsOf(TCP);
