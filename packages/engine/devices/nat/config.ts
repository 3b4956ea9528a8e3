/** A NAT node's configuration: a gateway to a simulated internet. `properties.ts` parses and checks it from the API's `properties`. */
import type { HostNetwork, HostSpec } from "../../net/host/config.ts";
import { HTTP_PORT, SINK_PORT } from "../../net/host/settings.ts";
import { DEFAULT_TCP } from "../../net/tcp/settings.ts";

/** A host of the simulated internet. */
export interface Site {
  /** `www.example.com` */
  readonly name: string;
  readonly address: string;
  /** Bodies of HTTP by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface NatConfig {
  readonly internet: readonly Site[];
}

export interface NatSpec extends NatConfig {
  readonly type: "nat";
  readonly name: string;
  readonly mac: number;
}

export const NAT_PORT_NAME = "nat0";
export const MAX_SITES = 64;
/** GNS3's NAT nodes are in libvirt's network: 192.168.122.0/24, with the gateway at .1. */
const GATEWAY = "192.168.122.1";
const [FIRST, LAST] = ["192.168.122.2", "192.168.122.254"];
const LEASE_SECONDS = 3_600;
const MTU_BYTES = 1_500;

/** The address of a site without one: TEST-NET-3, RFC 5737. */
export const defaultAddressOf = (index: number): string => `203.0.113.${index + 1}`;

/** The gateway with the addresses of all sites. */
export const networkOf = ({ internet }: NatConfig): HostNetwork => ({
  ports: [
    {
      name: NAT_PORT_NAME,
      ipv4: `${GATEWAY}/24`,
      mtuBytes: MTU_BYTES,
      ra: false,
      dhcp: { first: FIRST, last: LAST, leaseSeconds: LEASE_SECONDS, dns: [GATEWAY] },
    },
  ],
  interfaces: internet.map(({ address }, index) => ({
    type: "loopback",
    name: `site${index}`,
    ipv4: `${address}/32`,
    mtuBytes: MTU_BYTES,
    ra: false,
  })),
  routes: [],
});

/** What the addresses serve. */
export const servicesOf = ({ name, mac, internet }: NatSpec): HostSpec => ({
  name,
  mac,
  mtuBytes: MTU_BYTES,
  tcp: DEFAULT_TCP,
  echo: true,
  sinkPort: SINK_PORT,
  http: { port: HTTP_PORT, files: {} },
  sites: Object.fromEntries(internet.map(({ address, files }) => [address, files])),
  names: Object.fromEntries(internet.map((site) => [site.name, [site.address]])),
  ntp: true,
  sends: [],
});
