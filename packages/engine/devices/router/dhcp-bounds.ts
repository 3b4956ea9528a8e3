/** The limits of DHCP pools. */
export const MAX_DNS_SERVERS = 4;
export const DEFAULT_LEASE_SECONDS = 3_600;
export const MIN_LEASE_SECONDS = 10;
export const MAX_LEASE_SECONDS = 31_536_000;
/** Labels of letters, digits, `-` and `_`. */
export const DOMAIN_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/i;
