/** The IPv4 addresses that packets may come from and be forwarded to (RFC 1812, sections 5.3.7 and 5.3.5). */

const LINK_LOCAL_NET = 0xa9fe;

/** Whether an address identifies one host: not "this network", loopback, multicast, reserved or broadcast. */
export function isHostAddress(address: number): boolean {
  const first = address >>> 24;
  return first !== 0 && first !== 127 && first < 224;
}

/** 169.254.0.0/16 (RFC 3927, section 2.6.2: never forwarded). */
export const isLinkLocal4 = (address: number): boolean => address >>> 16 === LINK_LOCAL_NET;

export const isForwardable4 = (address: number): boolean => isHostAddress(address) && !isLinkLocal4(address);
