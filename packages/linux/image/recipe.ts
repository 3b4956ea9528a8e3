/** What is in an image. A recipe is one of those of this folder, or a YAML file of the user. */
import { parse } from "yaml";
import { z } from "zod";
import { ImageError } from "./image-error.ts";

const path = z.string().regex(/^[^/].*[^/]$/, "must be a path without a slash at its ends");

const recipeSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  /** MiB. */
  memory: z.int().min(64).max(512).default(128),
  /** Debian's packages, beside those that every image has. */
  packages: z.array(z.string()).default([]),
  /** Paths of these packages that the image has: a file, a folder with all that is in it, or a pattern with `*`. Libraries are found. */
  paths: z.array(path).default([]),
  /** Kernel modules beside those that every image has. */
  modules: z.array(z.string()).default([]),
  /** Users of daemons, each with a group of the same name. */
  users: z.array(z.string()).default([]),
  /** Further groups, with their members. */
  groups: z.record(z.string(), z.array(z.string())).default({}),
  /** Text files. */
  files: z.record(path, z.string()).default({}),
  /** Shell commands before the state is saved. */
  start: z.array(z.string()).default([]),
  /** Shell commands of a node, after its files are written. */
  configure: z.array(z.string()).default([]),
});

export type Recipe = z.output<typeof recipeSchema>;

/** @throws ImageError with the place of what is wrong. */
export function parseRecipe(text: string, name: string): Recipe {
  const result = recipeSchema.safeParse(parseYaml(text, name));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ImageError(`${name}: ${issue!.path.join(".") || "the recipe"}: ${issue!.message}`);
}

function parseYaml(text: string, name: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new ImageError(`${name}: ${(error as Error).message.split("\n")[0]}`);
  }
}

/** In every image. */
export const BASE = {
  // busybox as a shell runs its own `ip` in place of iproute2's, so the shell is dash.
  packages: ["linux-image-686", "busybox-static", "dash", "bash", "seabios", "iproute2", "libc6"],
  paths: [
    "bin/busybox",
    "bin/dash",
    "bin/bash",
    "bin/ip",
    "bin/ss",
    "sbin/bridge",
    "sbin/tc",
    "usr/sbin/tc",
    "sbin/ip",
  ],
  modules: [
    "virtio_pci",
    "virtio_net",
    "8021q",
    "vrf",
    "veth",
    "bridge",
    "vxlan",
    "dummy",
    // The redirections of the ports (init.ts).
    "sch_ingress",
    "cls_matchall",
    "act_mirred",
  ],
} as const;

const debian = `
name: debian
memory: 192
packages: [netbase, nftables, iptables, iperf3, keepalived, dnsmasq-base, tcpdump, ethtool]
paths: [usr/sbin/nft, usr/sbin/iptables*, usr/sbin/ip6tables*, usr/sbin/xtables-nft-multi, usr/lib/i386-linux-gnu/xtables, sbin/ethtool, usr/bin/iperf3, usr/sbin/keepalived, usr/sbin/dnsmasq, usr/bin/tcpdump, usr/lib/i386-linux-gnu/tc/normal.dist, usr/lib/i386-linux-gnu/tc/pareto.dist, usr/lib/i386-linux-gnu/tc/paretonormal.dist, etc/protocols, etc/services]
modules: [crc32c_generic, nf_tables, nft_ct, nft_nat, nft_masq, nft_redir, nft_chain_nat, nft_log, nft_limit, nft_reject_inet, nft_compat, xt_MASQUERADE, xt_nat, xt_conntrack, xt_tcpudp, xt_multiport, xt_TCPMSS, xt_mark, xt_limit, xt_comment, ipt_REJECT, macvlan, sch_netem, sch_tbf, sch_red, sch_codel, sch_fq_codel, bonding]
users: [dnsmasq]
start:
  - ip link del bond0
`;

const bird = `
name: bird
packages: [bird2]
paths: [usr/sbin/bird, usr/sbin/birdc]
users: [bird]
configure:
  - for config in /etc/bird/bird.conf /etc/bird.conf; do if test -e $config; then mkdir -p /run/bird; bird -c $config; break; fi; done
`;

const frr = `
name: frr
memory: 128
packages: [frr, libpam-modules]
paths: [usr/lib/frr, usr/bin/vtysh, usr/lib/i386-linux-gnu/frr, lib/i386-linux-gnu/security/pam_permit.so]
modules: [mpls_router, mpls_iptunnel]
users: [frr]
groups:
  frrvty: [frr]
files:
  etc/pam.d/frr: |
    auth sufficient pam_permit.so
    account sufficient pam_permit.so
  etc/frr/vtysh.conf: |
    no service integrated-vtysh-config
  usr/sbin/service: |
    #!/bin/sh
    exec /etc/init.d/$1 $2
  # The daemons of the image run already.
  usr/lib/frr/frrinit.sh: |
    #!/bin/sh
    case $1 in
      stop) killall zebra staticd ospfd bgpd $(sed -n 's/^\\([a-z0-9]*d\\)=yes.*/\\1/p' /etc/frr/daemons) 2> /dev/null; exit 0 ;;
      status) pidof zebra > /dev/null; exit ;;
    esac
    for daemon in zebra staticd $(sed -n 's/^\\([a-z0-9]*d\\)=yes.*/\\1/p' /etc/frr/daemons); do
      pidof $daemon > /dev/null || [ ! -x /usr/lib/frr/$daemon ] || /usr/lib/frr/$daemon -d -A 127.0.0.1
    done
    [ ! -e /etc/frr/frr.conf ] || cmp -s /etc/frr/frr.conf /run/frr/frr.conf || vtysh -f /etc/frr/frr.conf
  etc/frr/zebra.conf: |
    password zebra
  etc/frr/staticd.conf: |
    password zebra
  etc/frr/ospfd.conf: |
    password zebra
  etc/frr/bgpd.conf: |
    password zebra
start:
  - chmod 755 /usr/sbin/service /usr/lib/frr/frrinit.sh; mkdir -p /etc/init.d; ln -s /usr/lib/frr/frrinit.sh /etc/init.d/frr
  - mkdir -p /run/frr /var/run /var/tmp/frr; chown -R frr:frr /run/frr /var/tmp/frr /etc/frr
  - for daemon in zebra staticd ospfd bgpd; do /usr/lib/frr/$daemon -d -A 127.0.0.1; done
  # vtysh takes long to make the tables of its commands, each when the first command of it is read. This one has read some of each, and waits
  # for the end of its vtysh.conf; then it reads the node's frr.conf.
  - mkdir /run/vtysh; mkfifo /run/vtysh/vtysh.conf /run/vtysh/go /run/vtysh/code
  - (vtysh --config_dir /run/vtysh -f /etc/frr/frr.conf > /run/vtysh/output 2>&1; echo $? > /run/vtysh/code) &
  - ({ cat /etc/frr/vtysh.conf;
      for command in "interface lo" "router ospf" "router bgp 1" "route-map a permit 1"; do echo "$command"; echo exit; done;
      read go < /run/vtysh/go; } > /run/vtysh/vtysh.conf) &
  - sleep 3
configure:
  # A file of daemons with configured=yes asks for those that frr.conf configures.
  - test ! -e /etc/frr/daemons || for each in "ospf6d=router ospf6" "ripd=router rip$" "ripngd=router ripng" "isisd=router isis" "bfdd=^bfd| bfd"
    "pimd=ip pim|ip igmp|router pim" "ldpd=mpls ldp" "vrrpd= vrrp " "pbrd=pbr-map" "fabricd=router openfabric" "eigrpd=router eigrp" "babeld=router babel" "nhrpd=ip nhrp"; do
    if grep -q "^\${each%%=*}=yes" /etc/frr/daemons || { grep -q "^configured=yes" /etc/frr/daemons && grep -qsE "\${each#*=}" /etc/frr/frr.conf; }; then
    /usr/lib/frr/\${each%%=*} -d -A 127.0.0.1; fi; done
  - test ! -e /etc/frr/frr.conf || { cp /etc/frr/frr.conf /run/frr/frr.conf; echo > /run/vtysh/go; read code < /run/vtysh/code; cat /run/vtysh/output; (exit $code); }
`;

const BUILT_IN: Readonly<Record<string, string>> = { debian, bird, frr };
export const RECIPE_NAMES = Object.keys(BUILT_IN);

export const builtInRecipe = (name: string): Recipe | undefined => {
  const text = BUILT_IN[name];
  return text === undefined ? undefined : parseRecipe(text, name);
};
