/** Constants of captures and their files, in a module without schemas, because most functions load it when they start. */

/** Media type of uploaded and downloaded capture files. */
export const PCAP_CONTENT_TYPE = "application/vnd.tcpdump.pcap";

export const PCAPNG_CONTENT_TYPE = "application/x-pcapng";

/** Where the packets of a capture are taken: after or before the link's filters. */
export const CAPTURE_TAPS = ["after", "before"] as const;

/** Defaults for capture options. */
export const CAPTURE_DEFAULTS = { snaplen: 65_535, tap: "after" } as const;
