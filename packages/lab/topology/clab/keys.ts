/**
 * All keys of a containerlab file: what the converter does, what changes nothing that a lab shows, and what it refuses, with the reason and the way
 * out. `keys.test.ts` compares the table with the keys of containerlab's JSON schema.
 */

export type Key =
  | { readonly is: "done" }
  /** Nothing that a lab shows depends on it. */
  | { readonly is: "harmless"; readonly because: string }
  | { readonly is: "refused"; readonly because: string };

type Keys = Readonly<Record<string, Key>>;

const done: Key = { is: "done" };
const harmless = (because: string): Key => ({ is: "harmless", because });
const refused = (because: string): Key => ({ is: "refused", because });

const MANAGEMENT = harmless("the management network, which a lab does not have");
const HOST = harmless("how the host runs the container");
const OTHER_KIND = harmless("other kinds of nodes");
const NAMES = harmless("names for people and programs");
const TEMPLATES = harmless("values for templates of other kinds");

export const NODE_KEYS: Keys = {
  kind: done,
  group: done,
  image: done,
  exec: done,
  binds: done,
  "startup-config": done,
  extras: done,
  sysctls: done,
  cmd: done,
  entrypoint: done,
  env: done,
  "env-files": done,
  hostname: done,
  stages: done,
  volumes: done,
  tmpfs: done,
  "network-mode": done,
  devices: done,
  labels: NAMES,
  user: done,
  healthcheck: HOST,
  runtime: HOST,
  cpu: HOST,
  "cpu-set": HOST,
  memory: HOST,
  "shm-size": HOST,
  "cgroup-parent": HOST,
  "cgroupns-mode": HOST,
  "pid-mode": HOST,
  "security-opts": HOST,
  "cap-add": harmless("commands have all capabilities"),
  privileged: harmless("commands have all capabilities"),
  "image-pull-policy": HOST,
  "restart-policy": HOST,
  "auto-remove": HOST,
  "link-apply-mode": harmless("links that change while containerlab runs the lab"),
  "startup-delay": harmless("a lab begins when all nodes have booted"),
  "enforce-startup-config": harmless("a lab begins with the startup-config each time"),
  "suppress-startup-config": harmless("a lab begins with the startup-config each time"),
  ports: harmless("ports of the host"),
  dns: MANAGEMENT,
  aliases: MANAGEMENT,
  "mgmt-ipv4": MANAGEMENT,
  "mgmt-ipv6": MANAGEMENT,
  mgmt_ipv4: MANAGEMENT,
  mgmt_ipv6: MANAGEMENT,
  credentials: MANAGEMENT,
  certificate: harmless("certificates for the management network"),
  config: TEMPLATES,
  type: OTHER_KIND,
  license: OTHER_KIND,
  components: OTHER_KIND,
  position: NAMES,
};

/** The keys of `extras`: of other kinds, but for `frr`. */
export const EXTRAS_KEYS: Keys = {
  frr: done,
  "srl-agents": OTHER_KIND,
  "mysocket-proxy": MANAGEMENT,
  "ceos-copy-to-flash": OTHER_KIND,
  k8s_kind: OTHER_KIND,
};

export const FILE_KEYS: Keys = {
  name: done,
  topology: done,
  prefix: harmless("names of containers on the host"),
  mgmt: MANAGEMENT,
  settings: harmless("certificates of containerlab's own"),
  debug: harmless("messages of containerlab"),
};

export const TOPOLOGY_KEYS: Keys = { nodes: done, links: done, kinds: done, defaults: done, groups: done };

export const LINK_KEYS: Keys = {
  type: done,
  endpoints: done,
  endpoint: done,
  mtu: done,
  labels: NAMES,
  vars: TEMPLATES,
  ipv4: harmless("addresses for the templates of other kinds; exec gives a container its addresses"),
  ipv6: harmless("addresses for the templates of other kinds; exec gives a container its addresses"),
};

export const ENDPOINT_KEYS: Keys = {
  node: done,
  interface: done,
  mac: done,
  vars: TEMPLATES,
  ipv4: LINK_KEYS.ipv4!,
  ipv6: LINK_KEYS.ipv6!,
};

const OUTSIDE = "Delete the link, or let a lab file with `topology` add a node of the type `cloud`.";

/** Values of `type` of a link. */
export const LINK_TYPES: Keys = {
  veth: done,
  "veth-stitched": done,
  "veth-stitch": done,
  dummy: done,
  host: refused(`it ends at the host. ${OUTSIDE}`),
  "mgmt-net": refused(`it ends in the management network. ${OUTSIDE}`),
  macvlan: refused(`it ends at an interface of the host. ${OUTSIDE}`),
  vxlan: refused(`it ends at another host. ${OUTSIDE}`),
  "vxlan-stitched": refused(`it ends at another host. ${OUTSIDE}`),
};
