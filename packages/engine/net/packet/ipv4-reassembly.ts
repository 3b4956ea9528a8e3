/** Reassembles the fragments of IPv4 datagrams (RFC 791, section 3.2), with a timeout of 30 s per datagram. */
import { writeU16 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import { type Ipv4Header, writeIpv4Checksum } from "../../wire/ipv4.ts";
import { Fragments } from "./fragments.ts";

const TIMEOUT_US = 30_000_000;
/** A frame with the largest datagram: 65,535 bytes, including the IP header. */
const MAX_FRAME_BYTES = ETHERNET_HEADER_BYTES + 65_535;

export class Reassembly {
  readonly #fragments = new Fragments(TIMEOUT_US, MAX_FRAME_BYTES);

  freeze() {
    return this.#fragments.freeze();
  }

  thaw(datagrams: ReturnType<Fragments["freeze"]>): void {
    this.#fragments.thaw(datagrams);
  }

  /** @returns a frame with the whole datagram if this fragment completes it. */
  add(frame: Uint8Array, header: Ipv4Header, nowUs: number): Uint8Array | undefined {
    const { source, target, protocol, id, headerBytes, totalBytes, fragmentOffset, moreFragments } = header;
    const start = ETHERNET_HEADER_BYTES + headerBytes;
    const whole = this.#fragments.add(
      `${source} ${target} ${protocol} ${id}`,
      {
        header: frame.subarray(0, start),
        offset: fragmentOffset,
        data: frame.subarray(start, ETHERNET_HEADER_BYTES + totalBytes),
        isLast: !moreFragments,
      },
      nowUs,
    );
    if (whole === undefined || whole.length > MAX_FRAME_BYTES) return undefined;
    writeU16(whole, ETHERNET_HEADER_BYTES + 2, whole.length - ETHERNET_HEADER_BYTES);
    writeU16(whole, ETHERNET_HEADER_BYTES + 6, 0);
    writeIpv4Checksum(whole, ETHERNET_HEADER_BYTES);
    return whole;
  }
}
