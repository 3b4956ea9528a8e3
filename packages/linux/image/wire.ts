/**
 * The ports of a guest. Its network card is in a network namespace of its own, `wire`, with three devices for each port:
 *
 *     card "trunk" -- VLAN v0 -- redirected to -- p0 == veth pair == e0, which the start of a node moves out of `wire` as eth0
 *
 * A veth device is as good as a card: VLANs, bridges and macvlans on it, any address, and a carrier, which e0 loses while p0 is down.
 */
import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import { CARD_MTU_BYTES } from "../machine/card.ts";

/** The ports that an image has. */
const MAX_PORTS = linuxKind.macs.perNode;
/** The name of the namespace. */
export const WIRE = "wire";
/** The VLAN of port 0 on the card; those of the other ports follow. */
export const FIRST_VLAN = 100;
/** The index of e0, which it keeps as eth0 if the node has it free: 1 is `lo`, 2 is the card. */
const FIRST_INDEX = 3;
const FIRST_WIRE_INDEX = 100;
/** What a guest prints that cannot make them. */
export const NO_WIRE = "wirelab: there are no ports";
const MTU_BYTES = 1_500;
const ETHERNET_HEADER_BYTES = 14;
const TAG_BYTES = 4;
/** With a tag of the guest's own. */
export const LARGEST_FRAME_BYTES = ETHERNET_HEADER_BYTES + TAG_BYTES + CARD_MTU_BYTES;
/** IFF_BROADCAST and IFF_MULTICAST, with and without IFF_UP: what sysfs takes as flags of a device. */
const FLAGS = { up: "0x1003", down: "0x1002" } as const;

/** Shell commands that make the devices, after the card is there as eth0. */
export const makeWire = (): string => `# Modules of tunnels make a device in each new namespace.
echo 1 > /proc/sys/net/core/fb_tunnels_only_for_init_net
ip netns add ${WIRE}
echo 0 > /proc/sys/net/core/fb_tunnels_only_for_init_net
ip link set eth0 netns ${WIRE} name trunk
mkdir -p /run/${WIRE}
nsenter --net=/run/netns/${WIRE} sh -c 'cd /proc/sys/net/ipv6/conf; echo 1 > all/disable_ipv6; echo 1 > default/disable_ipv6; mount -t sysfs ${WIRE} /run/${WIRE}'
ip -n ${WIRE} -batch - <<'END'
link set trunk up
${lines(deviceLines)}
END
tc -n ${WIRE} -batch - <<'END'
${lines(redirectionLines)}
END
[ -e /run/${WIRE}/class/net/p${MAX_PORTS - 1}/flags ] || echo '${NO_WIRE}'
${startBatch("wire", `ip -n ${WIRE}`)}
${startBatch("node", "ip")}`;

const lines = (ofPort: (port: number) => readonly string[]): string =>
  Array.from({ length: MAX_PORTS }, (_, port) => ofPort(port))
    .flat()
    .join("\n");

const deviceLines = (port: number): string[] => [
  `link add link trunk name v${port} index ${FIRST_WIRE_INDEX + port} type vlan id ${FIRST_VLAN + port}`,
  `link add e${port} index ${FIRST_INDEX + port} mtu ${MTU_BYTES} type veth peer name p${port} index ${FIRST_WIRE_INDEX + MAX_PORTS + port} mtu ${CARD_MTU_BYTES}`,
  `link set v${port} up`,
  `link set p${port} up`,
];

const redirectionLines = (port: number): string[] =>
  [
    [`v${port}`, `p${port}`],
    [`p${port}`, `v${port}`],
  ].flatMap(([from, to]) => [
    `qdisc add dev ${from} clsact`,
    `filter add dev ${from} ingress matchall action mirred egress redirect dev ${to}`,
  ]);

/**
 * A process that waits for its lines, because starting one takes a guest as long as the work of it. It reads them from a named pipe.
 * @param name `wire` for the namespace of the wire, `node` for that of the node.
 */
const startBatch = (name: Batch, command: string): string =>
  `mkfifo /run/${name}.lines /run/${name}.done
(${command} -force -batch /run/${name}.lines > /run/${name}.output 2>&1; echo > /run/${name}.done) &`;

type Batch = "wire" | "node";

/** Shell commands that have the process do lines, which have no quotes. Once in the life of a guest. */
export const runBatch = (name: Batch, batchLines: readonly string[]): string[] => [
  `echo '${batchLines.join("\n")}' > /run/${name}.lines`,
  `read done < /run/${name}.done; [ ! -s /run/${name}.output ] || cat /run/${name}.output`,
];

/** Lines for the wire that give a node its port, with or without a carrier. */
export const portLines = (port: number, name: string, macAddress: string, hasCarrier: boolean): string[] => [
  `link set e${port} netns 1 name ${name} address ${macAddress}`,
  ...(hasCarrier ? [] : [`link set p${port} down`]),
];

/** The request that changes the carrier of a port (init.ts). */
export const carrierRequest = (port: number, isUp: boolean): string =>
  `carrier ${port} ${isUp ? FLAGS.up : FLAGS.down}\n`;

/** The shell command of this request, whose words are in the variables `port` and `flags`. */
export const SET_CARRIER = `echo "$flags" > /run/${WIRE}/class/net/p$port/flags`;
