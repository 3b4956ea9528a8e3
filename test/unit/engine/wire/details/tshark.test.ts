/**
 * The fields of `wire/details` beside tshark's, by the bytes that each covers: for each kind of frame that devices send, every field of tshark
 * is a field here, or is listed below with the reason.
 */
import { encodeCapture } from "@wirelab/engine/pcap/index";
import { readDetails } from "@wirelab/engine/wire/details";
import { describe, expect, test } from "vitest";
import { isInstalled, linesOf, withFile } from "../../../../helpers/engine/programs.ts";
import { SAMPLE_FRAMES } from "../../../../helpers/engine/sample-frames.ts";

/** Fields of tshark that are not shown. A name that ends with a point stands for all names that begin with it. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  "the kind of an address shows in the address": ["eth.dst.ig", "eth.dst.lg", "eth.src.ig", "eth.src.lg"],
  "bytes that are zero in every packet: reserved, or padding": [
    "dhcp.hw.addr_padding",
    "dhcp.option.padding",
    "gre.offset",
    "icmp.unused",
    "icmpv6.opt.reserved",
    "icmpv6.reserved",
    "igmp.reserved",
    "ipv6.fraghdr.reserved_octet",
    "lacp.actor.reserved",
    "lacp.coll_reserved",
    "lacp.pad",
    "lacp.partner.reserved",
    "marker.requesterPad",
    "marker.reserved",
    "ospf.lsa.tos",
    "rip.zero_padding",
    "vrrp.reserved_mbz",
  ],
  "the field of an option covers its number, its length and its value": [
    "dhcp.option.",
    "dhcpv6.dns_server",
    "dhcpv6.duid.bytes",
    "dhcpv6.duidll.link_layer_addr",
    "dhcpv6.elapsed_time",
    "dhcpv6.option.length",
    "dhcpv6.option.type",
    "dhcpv6.requested_option_code",
    "dhcpv6.status_msg",
    "dhcpv6.tld",
    "icmpv6.opt.length",
    "icmpv6.opt.linkaddr",
    "icmpv6.opt.type",
    "ip.opt.",
    "ipv6.opt.",
    "lldp.",
    "tcp.option_kind",
    "tcp.option_len",
    "tcp.options",
    "tcp.options.",
  ],
  "a terminator has no value": ["lacp.tlv_length", "lacp.tlv_type", "marker.tlvLen", "marker.tlvType"],
  "the fields of a record stand one after the other, without one around them": [
    "bgp.open.opt",
    "icmpv6.mldr.mar",
    "ospf.header",
    "ospf.hello",
  ],
  "the bits are one field for both kinds of tags": ["ieee8021ad.dei", "ieee8021ad.priority"],
  "the flags are one field": ["tcp.flags", "tcp.flags.str", "vxlan."],
  "what a datagram carries has layers of its own": ["udp.payload"],
  "the end of the TLVs is one of them": ["eth.trailer"],
  "the priority of a bridge has its system's number, as switches print it": [
    "stp.bridge.prio",
    "stp.root.prio",
  ],
  "the message is one text": ["syslog."],
};
const listed = Object.values(NOT_SHOWN).flat();
const isListed = (name: string): boolean =>
  listed.some((each) => (each.endsWith(".") ? name.startsWith(each) : name === each));

interface Shown {
  readonly name: string;
  readonly range: string;
}

/** The fields of each packet that cover bytes and are not hidden. */
function fieldsOf(frames: readonly Uint8Array[]): Shown[][] {
  const packets = frames.map((data, seconds) => ({
    seconds,
    nanoseconds: 0,
    data,
    originalLength: data.length,
  }));
  const options = ["-n", "-T", "pdml", "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"];
  const pdml = withFile(encodeCapture(packets, { linkType: 1 }), (path) =>
    linesOf("tshark", ["-r", path, ...options]).join("\n"),
  );
  return pdml
    .split("<packet>")
    .slice(1)
    .map((packet) =>
      [...packet.slice(packet.indexOf('<proto name="eth"')).matchAll(/<field ([^>]*)>/g)].flatMap(
        ([, text]) => {
          const {
            name = "",
            size = "0",
            pos = "0",
            hide,
          } = Object.fromEntries(
            [...text!.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
          );
          return size === "0" || hide === "yes" || name === "" ? [] : [{ name, range: `${pos}+${size}` }];
        },
      ),
    );
}

describe.skipIf(!isInstalled("tshark"))("tshark (skipped where it is not installed)", () => {
  const kinds = Object.entries(SAMPLE_FRAMES).flatMap(([kind, frames]) => frames.map(() => kind));
  const frames = Object.values(SAMPLE_FRAMES).flat();
  const packets = isInstalled("tshark") ? fieldsOf(frames) : [];
  const missing = packets.map((fields, index) => {
    const layers = readDetails(frames[index]!, "DLT_EN10MB");
    const ranges = new Set(
      [...layers, ...layers.flatMap((layer) => layer.fields)].map(({ at, length }) => `${at}+${length}`),
    );
    return fields.filter(({ range }) => !ranges.has(range)).map(({ name }) => name);
  });

  test.each(Object.keys(SAMPLE_FRAMES))("shows no field of %s that is neither here nor listed", (kind) => {
    const names = missing.flatMap((each, index) => (kinds[index] === kind ? each : []));
    expect(packets.filter((_, index) => kinds[index] === kind).flat().length).toBeGreaterThan(3);
    expect([...new Set(names)].filter((name) => !isListed(name)).sort()).toEqual([]);
  });

  test("shows every field that is listed", () => {
    const names = missing.flat();
    expect(
      listed.filter(
        (each) => !names.some((name) => (each.endsWith(".") ? name.startsWith(each) : name === each)),
      ),
    ).toEqual([]);
  });
});
