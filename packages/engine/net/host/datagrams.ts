/** The services of a server over UDP: echo (RFC 862), DNS for the names of its properties (RFC 1035), NTP with the lab's clock (RFC 5905). */
import { readU32, writeU32 } from "../../base/bytes.ts";
import {
  DNS_A,
  DNS_AAAA,
  DNS_PORT,
  type DnsQuestion,
  type DnsRecord,
  decodeDns,
  encodeDns,
  RCODE_NO_SUCH_NAME,
  RCODE_OK,
  sameName,
} from "../../wire/dns.ts";
import { NTP_BYTES, NTP_EPOCH_SECONDS, NTP_PORT } from "../../wire/ntp.ts";
import { ECHO_PORT, type Udp } from "../../wire/udp.ts";
import { parseAnyAddress } from "../address/prefix.ts";
import type { HostConfig } from "./config.ts";

/** @returns the data of the answer; null for no answer; undefined if nothing serves the port. */
export function answerDatagram(config: HostConfig, udp: Udp, nowUs: number): Uint8Array | null | undefined {
  if (udp.targetPort === ECHO_PORT && config.echo)
    // Two echo servers would otherwise echo an echo without end.
    return udp.sourcePort === ECHO_PORT ? null : udp.data;
  if (udp.targetPort === DNS_PORT && config.names) return answerName(config.names, udp.data);
  if (udp.targetPort === NTP_PORT && config.ntp) return answerTime(udp.data, nowUs);
  return undefined;
}

type Names = NonNullable<HostConfig["names"]>;

function answerName(names: Names, data: Uint8Array): Uint8Array | null {
  const query = decodeDns(data);
  const question = query?.questions[0];
  if (query === null || query.response || question === undefined) return null;
  const addresses = Object.entries(names).find(([name]) => sameName(name, question.name))?.[1];
  return encodeDns({
    id: query.id,
    response: true,
    recursionDesired: query.recursionDesired,
    rcode: addresses === undefined ? RCODE_NO_SUCH_NAME : RCODE_OK,
    questions: [question],
    answers: (addresses ?? []).flatMap((address) => recordOf(question, address)),
  });
}

function recordOf({ name, type }: DnsQuestion, text: string): DnsRecord[] {
  const address = parseAnyAddress(text);
  if (type === DNS_A && typeof address === "number") return [{ type, name, address }];
  return type === DNS_AAAA && typeof address === "bigint" ? [{ type, name, address }] : [];
}

const MODE_CLIENT = 3;
const MODE_SERVER = 4;
/** "LOCL": an uncalibrated local clock (RFC 5905, figure 12). */
const REFERENCE_LOCAL = 0x4c4f434c;

function answerTime(data: Uint8Array, nowUs: number): Uint8Array | null {
  const first = data[0] ?? 0;
  if (data.length < NTP_BYTES || (first & 7) !== MODE_CLIENT) return null;
  const answer = new Uint8Array(NTP_BYTES);
  const version = (first >> 3) & 7;
  answer[0] = (version << 3) | MODE_SERVER;
  answer[1] = 1;
  answer[2] = data[2] as number;
  // The clock's precision is a microsecond: 2^-20 s.
  answer[3] = 256 - 20;
  writeU32(answer, 12, REFERENCE_LOCAL);
  writeTime(answer, 16, nowUs);
  writeU32(answer, 24, readU32(data, 40));
  writeU32(answer, 28, readU32(data, 44));
  writeTime(answer, 32, nowUs);
  writeTime(answer, 40, nowUs);
  return answer;
}

function writeTime(bytes: Uint8Array, at: number, us: number): void {
  const seconds = Math.floor(us / 1e6);
  writeU32(bytes, at, (seconds + NTP_EPOCH_SECONDS) % 0x1_0000_0000);
  writeU32(bytes, at + 4, Math.floor(((us - seconds * 1e6) * 0x1_0000_0000) / 1e6));
}
