/** The check of neighbours, with nodes that answer as FRR and BIRD do. */
import { judgeAdjacencies } from "@wirelab/lab/adjacency/judge-adjacencies";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { type AnswerOf, guestsWithAnswers } from "../../../helpers/engine/script-node.ts";

interface Node {
  readonly conf: string;
  readonly addresses: readonly string[];
  readonly mtu?: number;
  readonly isBird?: boolean;
  readonly more?: string;
}

interface Lab {
  readonly nodes: Readonly<Record<string, Node>>;
  readonly links: readonly string[];
  readonly more?: string;
  /** Whether the two ports of the switch are in two VLANs. */
  readonly vlans?: boolean;
  readonly isOutOfTime?: () => boolean;
}

/** `addresses` belong to eth0, eth1, ...; an empty text is a port without an address. */
const ipAddr = ({ addresses, mtu = 1_500 }: Node): string =>
  JSON.stringify(
    addresses.map((address, index) => ({
      ifname: `eth${index}`,
      flags: ["UP", "LOWER_UP"],
      mtu,
      addr_info:
        address === "" ? [] : [{ local: address.split("/")[0], prefixlen: Number(address.split("/")[1]) }],
    })),
  );

function play({ nodes, links, more = "", vlans = false, isOutOfTime }: Lab, answerOf: AnswerOf) {
  const guests = guestsWithAnswers((node, question, seconds) =>
    question === "ip" ? ipAddr(nodes[node]!) : answerOf(node, question, seconds),
  );
  const entries = Object.entries(nodes).map(([name, { conf, addresses, isBird, more: own = "" }]) => {
    const path = isBird ? "etc/bird/bird.conf" : "/etc/frr/frr.conf";
    const files = JSON.stringify({ [path]: conf });
    return `  ${name}: {type: linux, image: ${isBird ? "bird" : "frr"}, ports: ${addresses.length}, files: ${files}${own}}`;
  });
  const text = `nodes:\n  pc1: 10.99.0.1/24\n  sw: ${vlans ? `{type: switch, vlans: {0: 1, 1: 2}}` : "switch"}\n${entries.join("\n")}\nlinks: ${JSON.stringify(links)}\nduration: 5s\n${more}`;
  const { verdicts, unchecked } = runLab(parseLabFile(text, { name: "lab", guests }), {
    judgeMore: judgeAdjacencies,
    ...(isOutOfTime && { isOutOfTime }),
  });
  return { verdicts: verdicts.map(({ status, name, got }) => `${status}: ${name}: ${got}`), unchecked };
}

const neighbour = (port: string, address: string, state: string) => ({
  ifaceName: `${port}:x`,
  ifaceAddress: address,
  nbrState: state,
});
const ospf = (neighbours: Readonly<Record<string, ReturnType<typeof neighbour>[]>>): string =>
  JSON.stringify({ neighbors: neighbours });
const ospfPort = (area: string, more: object = {}): string =>
  JSON.stringify({
    interfaces: {
      eth0: {
        ospfEnabled: true,
        area,
        networkType: "BROADCAST",
        timerMsecs: 10_000,
        timerDeadSecs: 40,
        ...more,
      },
    },
  });

const area = (number: number): string => `interface eth0\n ip ospf area ${number}\nrouter ospf\n`;
const two = (conf1: string, conf2: string, links = ["r1 -- r2"]): Lab => ({
  nodes: {
    r1: { conf: conf1, addresses: ["10.0.0.1/24"] },
    r2: { conf: conf2, addresses: ["10.0.0.2/24"] },
  },
  links,
});
const FULL: AnswerOf = (node, question) =>
  question === "frr ospf"
    ? ospf({ x: [neighbour("eth0", node === "r1" ? "10.0.0.2" : "10.0.0.1", "Full/DR")] })
    : "{}";

describe("OSPF", () => {
  test("neighbours that both configurations promise and that are full pass", () => {
    expect(play(two(area(0), area(0)), FULL)).toEqual({
      verdicts: ["passed: neighbours: OSPF r1 eth0 -- r2 eth0: up at both ends"],
      unchecked: undefined,
    });
  });

  test("another area fails, and names both ends, their states and the lines", () => {
    const { verdicts } = play(two(area(0), area(1)), (node, question) =>
      question === "frr ospf ports" ? ospfPort(node === "r1" ? "0.0.0.0" : "0.0.0.1") : "{}",
    );
    expect(verdicts).toEqual([
      [
        "failed: neighbours: OSPF r1 eth0 -- r2 eth0: r1 shows no neighbour r2; r2 shows no neighbour r1 (150 s after the end of the lab)",
        "area 0.0.0.0 on r1 eth0 (/etc/frr/frr.conf:2), 0.0.0.1 on r2 eth0 (/etc/frr/frr.conf:2)",
      ].join("\n"),
    ]);
  });

  test.each([
    [{ timerMsecs: 1_000 }, "hello interval 10 s on r1 eth0, 1 s on r2 eth0"],
    [{ timerDeadSecs: 4 }, "dead interval 40 s on r1 eth0, 4 s on r2 eth0"],
    [{ networkType: "POINTOPOINT" }, "network type broadcast on r1 eth0, point-to-point on r2 eth0"],
    [{ timerPassiveIface: true }, "r2 eth0 is passive"],
  ])("settings %j of one end are a reason", (more, reason) => {
    const { verdicts } = play(two(area(0), area(0)), (node, question) =>
      question === "frr ospf ports" ? ospfPort("0.0.0.0", node === "r1" ? {} : more) : "{}",
    );
    expect(verdicts[0]?.split("\n").slice(1)).toEqual([reason]);
  });

  test("what no configuration repairs is a reason: router IDs, networks, MTU, authentication, a daemon that does not run", () => {
    const lab = two(area(0), `${area(0)} area 0 authentication\n area 0 stub\n`);
    const odd = { ...lab.nodes.r2!, addresses: ["10.0.1.2/24"], mtu: 9_000 };
    const { verdicts } = play({ ...lab, nodes: { ...lab.nodes, r2: odd } }, (_, question) =>
      question === "frr ospf ports" ? ospfPort("0.0.0.0", { routerId: "1.1.1.1" }) : "{}",
    );
    expect(verdicts[0]?.split("\n").slice(1)).toEqual([
      "kind of area ordinary on r1 eth0, stub on r2 eth0",
      "authentication none on r1 eth0, simple on r2 eth0",
      "MTU 1500 on r1 eth0, 9000 on r2 eth0",
      "address 10.0.0.1/24 on r1 eth0, 10.0.1.2/24 on r2 eth0",
      "both have the router ID 1.1.1.1",
    ]);
    const dead = play(two(area(0), area(0)), (node, question) =>
      node === "r2" ? "" : question === "frr ospf ports" ? ospfPort("0.0.0.0") : "{}",
    );
    expect(dead.verdicts[0]).toContain("r1 shows no neighbour r2; r2 shows OSPF does not run");
    expect(dead.verdicts[0]).toContain(
      "it does not run on r2 eth0, although /etc/frr/frr.conf:2 has it: ip ospf area 0",
    );
  });

  test("neighbours that are full two minutes later pass; the wait is for those that are not up yet", () => {
    const asked: string[] = [];
    const late: AnswerOf = (node, question, seconds) => {
      asked.push(`${node} ${Math.round(seconds)}`);
      return seconds < 120 ? "{}" : FULL(node, question, seconds);
    };
    expect(play(two(area(0), area(0)), late).verdicts).toEqual([
      "passed: neighbours: OSPF r1 eth0 -- r2 eth0: up at both ends",
    ]);
    expect(new Set(asked).size).toBeLessThan(30);
  });

  test("one end alone is not up", () => {
    const { verdicts } = play(two(area(0), area(0)), (node, question, seconds) =>
      node === "r1" ? FULL(node, question, seconds) : "{}",
    );
    expect(verdicts[0]).toContain("r1 shows Full/DR; r2 shows no neighbour r1");
  });

  const four: Lab = {
    nodes: Object.fromEntries(
      [1, 2, 3, 4].map((index) => [`r${index}`, { conf: area(0), addresses: [`10.0.0.${index}/24`] }]),
    ),
    links: [1, 2, 3, 4].map((index) => `r${index} -- sw`),
  };
  const STATES: Readonly<Record<string, string>> = { r1: "DR", r2: "Backup", r3: "DROther", r4: "DROther" };
  const onSwitch =
    (hasDesignated: boolean): AnswerOf =>
    (node, question) => {
      if (question !== "frr ospf") return "{}";
      const others = Object.keys(STATES).filter((each) => each !== node);
      return ospf(
        Object.fromEntries(
          others.map((each) => {
            const isFull = hasDesignated && [STATES[node], STATES[each]].some((role) => role !== "DROther");
            const role = hasDesignated ? STATES[each] : "DROther";
            return [
              each,
              [neighbour("eth0", `10.0.0.${each.slice(1)}`, `${isFull ? "Full" : "2-Way"}/${role}`)],
            ];
          }),
        ),
      );
    };

  test("behind a switch, two routers that are neither designated nor backup stay 2-Way", () => {
    const { verdicts } = play(four, onSwitch(true));
    expect(verdicts).toHaveLength(6);
    expect(verdicts.filter((each) => !each.startsWith("passed"))).toEqual([]);
  });

  test("2-Way without a designated router fails", () => {
    const { verdicts } = play(four, onSwitch(false));
    expect(verdicts.filter((each) => each.startsWith("failed"))).toHaveLength(6);
  });

  test("other networks behind one switch, a switch with VLANs and an end without OSPF are not checked", () => {
    const lab = two(area(0), area(0), ["r1 -- sw", "r2 -- sw"]);
    const other = { ...lab.nodes.r2!, addresses: ["10.7.0.2/24"] };
    expect(play({ ...lab, nodes: { ...lab.nodes, r2: other } }, FULL)).toEqual({
      verdicts: [],
      unchecked: [
        "r1 /etc/frr/frr.conf:2: ip ospf area 0: eth0 and eth0 of r2 are in different networks behind a switch",
      ],
    });
    const apart = { ...two(area(0), area(0), ["r1 -- sw:0", "r2 -- sw:1"]), vlans: true };
    expect(play(apart, FULL)).toEqual({ verdicts: [], unchecked: undefined });
    const oneSided = two(area(0), "router ospf\n network 10.5.0.0/16 area 0\n");
    expect(play(oneSided, FULL)).toEqual({
      verdicts: [],
      unchecked: [
        "r1 /etc/frr/frr.conf:2: ip ospf area 0: on eth0, but r2 has none on eth0, or does not look for neighbours there",
      ],
    });
  });

  test("a link that is down and a node that is off promise nothing", () => {
    const lab = two(area(0), area(0));
    expect(play({ ...lab, more: "run: [{at: 1s, down: r1-r2}]" }, FULL).verdicts).toEqual([]);
    expect(play({ ...lab, more: "run: [{at: 1s, stop: r2}]" }, FULL)).toEqual({
      verdicts: [],
      unchecked: ["r2: is off or suspended at the end"],
    });
  });

  test.each([
    ["filters", "run: [{at: 1s, filters: {r1-r2: {packet_loss: 100}}}]"],
    ["impairments", "run: [{at: 1s, impairments: {r1-r2: {both: {broken: true}}}}]"],
  ])("a link that has %s at the end promises nothing, and is named", (_what, more) => {
    expect(play({ ...two(area(0), area(0)), more }, () => "{}")).toEqual({
      verdicts: [],
      unchecked: ["r1-r2: its filters or impairments may lose packets of neighbours"],
    });
  });

  test("a node into which the timeline types what may change its neighbours is not checked, and is named", () => {
    const typing = (command: string) =>
      play(
        { ...two(area(0), area(0)), more: `run: [{at: 1s, console: {r1: ${JSON.stringify(command)}}}]` },
        FULL,
      );
    expect(typing("pkill ospfd")).toEqual({
      verdicts: [],
      unchecked: [
        "r1: what the timeline types there (pkill ospfd) may change what its configuration promises",
      ],
    });
    for (const command of ["vtysh -c 'show ip ospf neighbor'", "ip -j addr show", "ping -c 1 10.0.0.2"])
      expect(typing(command).verdicts).toHaveLength(1);
    for (const command of [
      "vtysh -c 'show version' -c 'conf t'",
      "ip addr flush eth0",
      "ping 10.0.0.2; reboot",
    ])
      expect(typing(command).verdicts).toEqual([]);
  });

  test("a node that does not answer, and time that is over, leave it undecided", () => {
    const lab = two(area(0), area(0));
    const silent = { ...lab.nodes.r2!, more: ", commands: [silent]" };
    expect(play({ ...lab, nodes: { ...lab.nodes, r2: silent } }, FULL).verdicts).toEqual([
      "undecided: neighbours of routers: the run reached its limit of lab_seconds",
    ]);
    expect(play({ ...lab, isOutOfTime: () => true }, FULL).verdicts).toEqual([
      "undecided: neighbours of routers: the run reached its limit of cpu_seconds",
    ]);
  });

  test("what the reader does not understand decides nothing", () => {
    const answers: AnswerOf = (_, question) => (question === "frr ospf" ? "Neighbor ID     Pri State" : "{}");
    expect(play(two(area(0), area(0)), answers).verdicts).toEqual([
      "undecided: neighbours: OSPF r1 eth0 -- r2 eth0: the reader does not understand what r1 prints about its neighbours",
    ]);
  });

  test("a configuration that commands have changed is the one that the daemon has", () => {
    const lab = two("", area(0));
    const typed = {
      ...lab.nodes.r1!,
      more: `, commands: ["vtysh -c 'conf t' -c 'router ospf' -c 'network 10.0.0.0/8 area 0'"]`,
    };
    const answers: AnswerOf = (node, question) =>
      question === "running"
        ? "Current configuration:\n!\nrouter ospf\n network 10.0.0.0/8 area 0\nexit\n"
        : FULL(node, question, 0);
    expect(play({ ...lab, nodes: { ...lab.nodes, r1: typed } }, answers).verdicts).toEqual([
      "passed: neighbours: OSPF r1 eth0 -- r2 eth0: up at both ends",
    ]);
  });
});

describe("BGP", () => {
  const bgp = (as: number, peer: string, remoteAs: number | string, more = ""): string =>
    `router bgp ${as}\n neighbor ${peer} remote-as ${remoteAs}\n${more}`;
  const state =
    (byNode: Readonly<Record<string, string>>): AnswerOf =>
    (node, question) => {
      const peer = node === "r1" ? "10.0.0.2" : "10.0.0.1";
      return question === "frr bgp"
        ? JSON.stringify({ [peer]: { bgpState: byNode[node], lastResetDueTo: "Waiting for peer OPEN" } })
        : "{}";
    };
  const IDLE = state({ r1: "Idle", r2: "Active" });

  test("sessions that are established at both ends pass", () => {
    const lab = two(bgp(65_001, "10.0.0.2", 65_002), bgp(65_002, "10.0.0.1", "external"));
    expect(play(lab, state({ r1: "Established", r2: "Established" })).verdicts).toEqual([
      "passed: neighbours: BGP r1 10.0.0.1 -- r2 10.0.0.2: up at both ends",
    ]);
  });

  test("a wrong AS fails, and names both ends, their states and the AS", () => {
    const lab = two(bgp(65_001, "10.0.0.2", 65_022), bgp(65_002, "10.0.0.1", 65_001));
    expect(play(lab, IDLE).verdicts).toEqual([
      [
        "failed: neighbours: BGP r1 10.0.0.1 -- r2 10.0.0.2: r1 shows Idle (last: Waiting for peer OPEN); r2 shows Active (last: Waiting for peer OPEN) (150 s after the end of the lab)",
        "r1 expects AS 65022 (/etc/frr/frr.conf:2), and r2 has AS 65002",
      ].join("\n"),
    ]);
  });

  test.each([
    [
      bgp(65_001, "10.0.0.2", "internal"),
      bgp(65_002, "10.0.0.1", 65_001),
      "r1 expects AS internal (/etc/frr/frr.conf:2), and r2 has AS 65002",
    ],
    [
      bgp(1, "10.0.0.2", 2, " neighbor 10.0.0.2 passive\n"),
      bgp(2, "10.0.0.1", 1, " neighbor 10.0.0.1 passive\n"),
      "both ends wait for the other: they are passive",
    ],
    [
      bgp(1, "10.0.0.2", 2, " neighbor 10.0.0.2 password x\n"),
      bgp(2, "10.0.0.1", 1),
      "r2 has no password for the session",
    ],
    [
      bgp(1, "10.0.0.2", 2, " neighbor 10.0.0.2 password x\n"),
      bgp(2, "10.0.0.1", 1, " neighbor 10.0.0.1 password y\n"),
      "the passwords of the session differ",
    ],
  ])("a reason is in the configurations (%#)", (one, other, reason) => {
    expect(play(two(one, other), IDLE).verdicts[0]?.split("\n").slice(1)).toEqual([reason]);
  });

  test("a neighbour that is named at one end only, or that no router has, is not checked", () => {
    const lab = two(
      `${bgp(65_001, "10.0.0.2", 65_002)} neighbor 10.0.0.77 remote-as 7\n neighbor 10.0.0.1 remote-as 8\n`,
      "router bgp 65002\n neighbor 10.0.0.9 remote-as 9\n",
    );
    expect(play(lab, IDLE)).toEqual({
      verdicts: [],
      unchecked: [
        "r1 /etc/frr/frr.conf:2: neighbor 10.0.0.2 remote-as 65002: r2 does not name an address of r1 as its neighbour",
        "r1 /etc/frr/frr.conf:3: neighbor 10.0.0.77 remote-as 7: no router here has the address 10.0.0.77",
        "r1 /etc/frr/frr.conf:4: neighbor 10.0.0.1 remote-as 8: 10.0.0.1 is an address of r1 itself",
        "r2 /etc/frr/frr.conf:2: neighbor 10.0.0.9 remote-as 9: no router here has the address 10.0.0.9",
      ],
    });
  });

  test("neighbours by interface are the neighbours on its link", () => {
    const conf = (as: number) => `router bgp ${as}\n neighbor eth0 interface remote-as external\n`;
    const answers: AnswerOf = (_, question) =>
      question === "frr bgp" ? JSON.stringify({ eth0: { bgpState: "Established" } }) : "{}";
    expect(play(two(conf(1), conf(2)), answers).verdicts).toEqual([
      "passed: neighbours: BGP r1 eth0 -- r2 eth0: up at both ends",
    ]);
    expect(play(two(conf(1), bgp(2, "10.0.0.1", 1)), answers).verdicts).toEqual([]);
  });

  test("BFD that both ends have for their session is a promise of its own", () => {
    const conf = (as: number, peer: string, remoteAs: number) =>
      bgp(as, peer, remoteAs, ` neighbor ${peer} bfd\n`);
    const lab = two(conf(1, "10.0.0.2", 2), conf(2, "10.0.0.1", 1));
    const answers: AnswerOf = (node, question, seconds) =>
      question === "frr bfd" ? "" : state({ r1: "Established", r2: "Established" })(node, question, seconds);
    expect(play(lab, answers).verdicts).toEqual([
      "passed: neighbours: BGP r1 10.0.0.1 -- r2 10.0.0.2: up at both ends",
      "failed: neighbours: BFD r1 10.0.0.1 -- r2 10.0.0.2: r1 shows BFD does not run; r2 shows BFD does not run (150 s after the end of the lab)",
    ]);
  });

  test("a session between loopbacks is not checked while a link is down, because its packets may need it", () => {
    const lab: Lab = {
      nodes: {
        r1: { conf: bgp(1, "10.255.0.2", 2), addresses: ["10.0.0.1/24", "10.255.0.1/32"] },
        r2: { conf: bgp(2, "10.255.0.1", 1), addresses: ["10.0.0.2/24", "10.255.0.2/32"] },
      },
      links: ["r1:eth0 -- r2:eth0", "pc1 -- sw"],
    };
    expect(play(lab, IDLE).verdicts).toHaveLength(1);
    expect(play({ ...lab, more: "run: [{at: 1s, down: pc1-sw}]" }, IDLE).unchecked).toEqual([
      "r1 /etc/frr/frr.conf:2: neighbor 10.255.0.2 remote-as 2: a link or a node is down or may lose packets, and the session may need it",
    ]);
  });
});

test("BIRD and FRR are neighbours of each other", () => {
  const lab: Lab = {
    nodes: {
      b: {
        conf: 'protocol ospf { area 0 { interface "eth*"; }; }\nprotocol bgp { local as 1; neighbor 10.0.0.2 as 2; }',
        addresses: ["10.0.0.1/24"],
        isBird: true,
      },
      f: { conf: `${area(0)}router bgp 2\n neighbor 10.0.0.1 remote-as 1\n`, addresses: ["10.0.0.2/24"] },
    },
    links: ["b -- f"],
  };
  const answers: AnswerOf = (_, question) => {
    if (question === "bird ospf")
      return "BIRD 2.0.12 ready.\nospf1:\nRouter ID   \tPri\t     State     \tDTime\tInterface  Router IP\n2.2.2.2  \t  1\tFull/DR   \t 7.814\teth0       10.0.0.2\n";
    if (question === "bird bgp")
      return "BIRD 2.0.12 ready.\nbgp1       BGP        ---        up     19:26:48.465  Established   \n  BGP state:          Established\n    Neighbor address: 10.0.0.2\n    Neighbor AS:      2\n    Local AS:         1\n";
    if (question === "frr ospf") return ospf({ x: [neighbour("eth0", "10.0.0.1", "Full/Backup")] });
    return question === "frr bgp" ? JSON.stringify({ "10.0.0.1": { bgpState: "Established" } }) : "{}";
  };
  expect(play(lab, answers)).toEqual({
    verdicts: [
      "passed: neighbours: OSPF b eth0 -- f eth0: up at both ends",
      "passed: neighbours: BGP b 10.0.0.1 -- f 10.0.0.2: up at both ends",
    ],
    unchecked: undefined,
  });
});
