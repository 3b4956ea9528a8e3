/** Our router asks dnsmasq for names on a real wire, and answers a simulated PC and the resolver of Node.js. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasPrograms, LiveLab } from "../helpers/live/live-lab.ts";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";

const NODE = new URL("../../node_modules/.bin/node", import.meta.url).pathname;
const why =
  obstacle() ??
  (hasPrograms("dnsmasq", "tcpdump", "tshark") ? undefined : "dnsmasq, tcpdump or tshark is not installed");

describe.skipIf(why !== undefined)(
  `a router between dnsmasq and clients${why ? ` (skipped: ${why})` : ""}`,
  () => {
    let spaces: Namespaces;
    let lab: LiveLab;

    beforeEach(async () => {
      spaces = new Namespaces("lab");
      lab = new LiveLab(spaces);
      await lab.start(
        {
          nodes: {
            pc: { ip: "10.50.0.2/24", gateway: "10.50.0.1", dns: "10.50.0.1" },
            r1: {
              type: "router",
              ports: ["10.50.0.1/24", "10.2.0.1/24"],
              dns: {
                hosts: { "r1.home.example": ["10.2.0.1", "2001:db8::1"] },
                aliases: { "www.home.example": "www.example.org" },
                zones: ["home.example"],
                servers: ["10.2.0.9"],
              },
            },
            wire: { type: "cloud", tap: "ta" },
          },
          links: ["pc -- r1:0", "r1:1 -- wire"],
        },
        { ta: ["10.2.0.9/24"] },
      );
    });
    afterEach(async () => {
      await spaces.end();
      lab.end();
    });

    async function startDnsmasq(): Promise<ChildProcess> {
      const records = [
        "--host-record=www.example.org,10.2.0.9,2001:db8::9",
        "--cname=ftp.example.org,www.example.org",
        "--mx-host=example.org,www.example.org,10",
        "--local=/example.org/",
      ];
      const own = [
        "--no-daemon",
        "--conf-file=/dev/null",
        "--no-resolv",
        "--no-hosts",
        "--port=53",
        "--user=root",
      ];
      const child = lab.begin(
        "dnsmasq",
        ...own,
        "--listen-address=10.2.0.9",
        "--bind-interfaces",
        "--local-ttl=100",
        ...records,
      );
      await expect
        .poll(() => resolve("resolve4", "www.example.org", "10.2.0.9"), { timeout: 60_000 })
        .toEqual(["10.2.0.9"]);
      return child;
    }

    /** Asks with Node's resolver, which has its own code. @returns the answer, or the code of the error. */
    function resolve(method: string, name: string, server = "10.2.0.1"): unknown {
      const script = `
      const resolver = new (require("dns").promises.Resolver)({ timeout: 3000, tries: 2 });
      resolver.setServers(["${server}"]);
      resolver.${method}("${name}").then((answer) => console.log(JSON.stringify(answer)), (error) => console.log(JSON.stringify(error.code)));
    `;
      return JSON.parse(lab.run(NODE, "-e", script));
    }

    test("a resolver and a PC get its own names, and those that dnsmasq knows", async () => {
      const end = await lab.capture("ta", "udp port 53");
      await startDnsmasq();
      expect(resolve("resolve4", "r1.home.example")).toEqual(["10.2.0.1"]);
      expect(resolve("resolve6", "r1.home.example")).toEqual(["2001:db8::1"]);
      expect(resolve("reverse", "10.2.0.1")).toEqual(["r1.home.example"]);
      expect(resolve("resolve4", "nosuch.home.example")).toBe("ENOTFOUND");
      expect(resolve("resolve4", "www.example.org")).toEqual(["10.2.0.9"]);
      expect(resolve("resolve6", "ftp.example.org")).toEqual(["2001:db8::9"]);
      expect(resolve("resolveCname", "ftp.example.org")).toEqual(["www.example.org"]);
      expect(resolve("resolve4", "www.home.example")).toEqual(["10.2.0.9"]);
      expect(resolve("resolveMx", "example.org")).toMatchObject([
        { exchange: "www.example.org", priority: 10 },
      ]);
      expect(resolve("resolve4", "nosuch.example.org")).toBe("ENOTFOUND");
      expect(resolve("resolve4", "www.example.com")).toBe("ESERVFAIL");
      lab.run("ip", "route", "add", "10.50.0.0/24", "via", "10.2.0.1");
      expect(await lab.type("pc", "ping ftp.example.org -c 1")).toContain(
        "84 bytes from 10.2.0.9 icmp_seq=1",
      );
      const { all, wrong } = await end();
      expect(all).toBeGreaterThan(20);
      expect(wrong).toEqual([]);
    });

    test("the cache answers when dnsmasq has gone; other names fail", async () => {
      const dnsmasq = await startDnsmasq();
      expect(resolve("resolve4", "www.example.org")).toEqual(["10.2.0.9"]);
      expect(await lab.type("r1", "show dns")).toMatch(/www\.example\.org +A +10\.2\.0\.9 +(100|9\d) s/);
      dnsmasq.kill();
      await once(dnsmasq, "exit");
      expect(resolve("resolve4", "www.example.org")).toEqual(["10.2.0.9"]);
      expect(resolve("resolve4", "other.example.org")).toMatch(/ESERVFAIL|ETIMEOUT/);
    });
  },
);
