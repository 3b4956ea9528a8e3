/** The settings of BGP: as properties, as lines of FRR, and what is wrong with them. */
import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { configurationLines } from "../../../../../../packages/engine/devices/router/shell/configuration-lines.ts";
import { WHOLE } from "./whole.ts";

const HEAD = "interface eth0\n ip address 10.0.1.1/24\nexit\n";

const read = (config: string) => parseRouterProperties({ config: HEAD + config });

/** The lines of `router bgp` after the text was read and printed. */
function printed(config: string): string[] {
  const parsed = read(config);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const lines = configurationLines(parsed.config);
  return lines.slice(lines.findIndex((line) => line.startsWith("router bgp")));
}

const problemsOf = (config: string): string[] => {
  const parsed = read(config);
  return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
};

describe("a configuration of BGP", () => {
  it("is printed as it was read, with every line", () => {
    expect(printed(WHOLE)).toEqual(WHOLE.split("\n"));
  });

  it("may have lines of the address family without its block, and shorter words", () => {
    expect(
      printed(
        "router bgp 65001\n neighbor 10.0.1.2 remote-as external\n neighbor 10.0.1.2 allowas-in\n network 10.0.1.0/24\n",
      ),
    ).toEqual([
      "router bgp 65001",
      " neighbor 10.0.1.2 remote-as external",
      " address-family ipv4 unicast",
      "  network 10.0.1.0/24",
      "  neighbor 10.0.1.2 allowas-in 3",
      " exit-address-family",
      "exit",
    ]);
  });

  it("is taken back line by line", () => {
    const lines = WHOLE.split("\n").map((line) => line.trim());
    const isSwitch = (line: string) => line.startsWith("no ");
    const back = lines
      .filter((line) => !/^(router|exit|address-family|neighbor \S+ remote-as)/.test(line))
      .map((line) => (isSwitch(line) ? line.slice(3) : `no ${line}`));
    expect(printed([...lines.slice(0, -1), "exit", "router bgp 65001", ...back].join("\n"))).toEqual([
      "router bgp 65001",
      " neighbor 10.0.1.2 remote-as 65002",
      " neighbor 10.0.1.3 remote-as internal",
      " address-family ipv4 unicast",
      "  no neighbor 10.0.1.2 activate",
      " exit-address-family",
      "exit",
    ]);
  });

  it("ends with `no router bgp`, and a neighbour with `no neighbor`", () => {
    expect(
      printed(
        `${WHOLE}\nrouter bgp 65001\n no neighbor 10.0.1.3\n no neighbor 10.0.1.2 remote-as 65002\n`,
      ).join(),
    ).not.toContain("neighbor");
    const parsed = read(`${WHOLE}\nno router bgp 65001\n`);
    expect(parsed.ok && parsed.config.bgp).toBeUndefined();
  });

  it.each([
    ["router bgp 65001\nexit\nrouter bgp 65002", "BGP is already running; AS is 65001"],
    ["router bgp", "No BGP process is configured"],
    ["router bgp 65001\nexit\nno router bgp 65002", "BGP is running; AS is 65001"],
    ["router bgp 0", "as must be 1 to 4294967295"],
    ["router bgp 65001\n neighbor 10.0.1.2 weight 5", "Specify remote-as first"],
    ["router bgp 65001\n neighbor 10.0.1.1 remote-as 65002", "10.0.1.1 is the router's own address"],
    ["router bgp 65001\n neighbor 10.0.1.2 remote-as friend", "is no line of a router"],
    [
      "router bgp 65001\n neighbor 10.0.1.2 remote-as 65002\n neighbor 10.0.1.2 route-reflector-client",
      "10.0.1.2 is not an internal neighbor",
    ],
    [
      "router bgp 65001\n neighbor 10.0.1.2 remote-as 65002\n neighbor 10.0.1.2 local-as 65001",
      "leave it out",
    ],
    [
      "router bgp 65001\n neighbor 10.0.1.2 remote-as 65002\n neighbor 10.0.1.2 update-source eth9",
      "the name of a port",
    ],
    ["router bgp 65001\n timers bgp 1 2", "must be 0, or 3 and more"],
    ["router bgp 65001\n network 10.0.1.1/24", "the network is 10.0.1.0/24"],
  ])("is refused: %s", (config, problem) => {
    expect(problemsOf(config)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ["neighbor 2001:db8::2 remote-as 65002", "IPv4 neighbors alone"],
    ["neighbor eth0 interface remote-as external", "unnumbered"],
    ["neighbor PEERS peer-group", "peer groups are not there"],
    ["neighbor 10.0.1.2 peer-group PEERS", "peer groups are not there"],
    ["neighbor 10.0.1.2 distribute-list A in", "it is not there"],
    ["neighbor 10.0.1.2 password secret", "MD5 is not there"],
    ["neighbor 10.0.1.2 ttl-security hops 1", "TTL security is not there"],
    ["neighbor 10.0.1.2 bfd 3 300 300", "`neighbor ADDR bfd`"],
    ["neighbor 10.0.1.2 send-community both", "all communities are sent"],
    ["neighbor 10.0.1.2 maximum-prefix 5 restart 3", "waits for clear ip bgp"],
    ["neighbor 10.0.1.2 capability dynamic", "it is not there"],
    ["bgp confederation identifier 5", "it is not there"],
    ["bgp graceful-restart", "it is not there"],
    ["bgp dampening", "it is not there"],
    ["aggregate-address 10.0.0.0/8", "it is not there"],
    ["network 10.0.0.0/8 route-map A", "no further words"],
    ["redistribute isis", "may be redistributed"],
    ["redistribute static route-map A", "it is not there"],
    ["timers connect 5", "it is not there"],
  ])("names what is not there: %s", (line, why) => {
    const problems = problemsOf(`router bgp 65001\n neighbor 10.0.1.2 remote-as 65002\n ${line}\n`);
    expect(problems).toEqual([expect.stringMatching(/^line 6: ".*" is not there: /)]);
    expect(problems[0]).toContain(why);
  });

  it("names a family that is not there with the lines of its block, and reads on", () => {
    const text =
      "router bgp 65001\n address-family ipv6 unicast\n  network 2001:db8::/32\n exit-address-family\n network 10.0.1.0/24\n";
    expect(problemsOf(text)).toEqual([
      expect.stringContaining(
        'line 5: "address-family ipv6 unicast", with the line inside, is not there: BGP',
      ),
    ]);
    const warned = parseRouterProperties({ config: HEAD + text, unsupported: "warn" });
    expect(warned.ok && warned.config.bgp?.networks).toEqual(["10.0.1.0/24"]);
  });
});
