/** Sizes of IP packets, without the Ethernet header. */

export const DEFAULT_MTU_BYTES = 1_500;
/** RFC 791: the packet size that every link must carry unfragmented. */
export const MIN_MTU_BYTES = 68;
/** RFC 8200, section 5. */
export const MIN_IPV6_MTU_BYTES = 1_280;
export const MAX_MTU_BYTES = 9_216;
