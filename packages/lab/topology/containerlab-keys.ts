/**
 * Keys of a containerlab file that change nothing that a lab shows, with the reason. A key is done, or it is here, or it is refused:
 * `containerlab-keys.test.ts` holds the list.
 */

type Harmless = Readonly<Record<string, string>>;

const MANAGEMENT = "the management network, which a lab does not have";
const HOST = "how the host runs the container";

export const HARMLESS_IN_NODE: Harmless = {
  labels: "names for people and programs",
  env: "variables of the container's programs, of which a lab runs none but those of exec",
  user: "the user of the container's programs",
  healthcheck: HOST,
  runtime: HOST,
  cpu: HOST,
  "cpu-set": HOST,
  memory: HOST,
  "cgroup-parent": HOST,
  "image-pull-policy": HOST,
  "restart-policy": HOST,
  "auto-remove": HOST,
  "startup-delay": "a lab begins when all nodes have booted",
  ports: "ports of the host",
  dns: MANAGEMENT,
  aliases: MANAGEMENT,
  "mgmt-ipv4": MANAGEMENT,
  "mgmt-ipv6": MANAGEMENT,
  mgmt_ipv4: MANAGEMENT,
  mgmt_ipv6: MANAGEMENT,
};

export const HARMLESS_IN_FILE: Harmless = {
  prefix: "names of containers on the host",
  mgmt: MANAGEMENT,
  settings: "certificates of containerlab's own",
  debug: "messages of containerlab",
};

export const HARMLESS_IN_LINK: Harmless = {
  labels: "names for people and programs",
  vars: "values for templates, which are refused where they are used",
};

export const HARMLESS_IN_ENDPOINT: Harmless = { vars: HARMLESS_IN_LINK.vars! };

/** What the converter reads, at each level. */
export const DONE_IN_FILE = ["name", "topology"] as const;
export const DONE_IN_TOPOLOGY = ["nodes", "links", "kinds", "defaults", "groups"] as const;
export const DONE_IN_NODE = ["kind", "group", "image", "exec"] as const;
export const DONE_IN_LINK = ["type", "endpoints", "mtu"] as const;
export const DONE_IN_ENDPOINT = ["node", "interface"] as const;
