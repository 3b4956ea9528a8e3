/** The IPv4 addresses that packets may come from and be forwarded to (RFC 1812, sections 5.3.7 and 5.3.5). */
import { isHostAddress } from "../../wire/ipv4-address.ts";

const LINK_LOCAL_NET = 0xa9fe;

/** 169.254.0.0/16 (RFC 3927, section 2.6.2: never forwarded). */
export const isLinkLocal4 = (address: number): boolean => address >>> 16 === LINK_LOCAL_NET;

export const isForwardable4 = (address: number): boolean => isHostAddress(address) && !isLinkLocal4(address);
