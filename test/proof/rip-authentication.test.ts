/** RIP with authentication, with FRR's ripd on a real wire. */
import { describe } from "vitest";
import { eventually } from "../helpers/live/eventually.ts";
import { noRipWire, RIPD, testOnWire } from "../helpers/live/rip-wire.ts";

interface Case {
  readonly what: string;
  readonly mode: "text" | "md5";
  readonly keys: readonly { readonly id?: number; readonly key: string }[];
  /** Lines of ripd's interface, and its chain of keys. */
  readonly lines: string;
  readonly chain: string;
}

const CASES: readonly Case[] = [
  {
    what: "a password",
    mode: "text",
    keys: [{ key: "wire" }],
    lines: " ip rip authentication mode text\n ip rip authentication string wire\n",
    chain: "",
  },
  {
    what: "MD5, as RFC 2082 has it",
    mode: "md5",
    keys: [{ id: 7, key: "secret" }],
    lines: " ip rip authentication mode md5 auth-length rfc\n ip rip authentication key-chain lab\n",
    chain: "key chain lab\n key 7\n  key-string secret\n",
  },
  {
    what: "MD5 with the length of old programs, ours accepting two keys",
    mode: "md5",
    keys: [
      { id: 9, key: "next" },
      { id: 7, key: "secret" },
    ],
    lines: " ip rip authentication mode md5 auth-length old-ripd\n ip rip authentication key-chain lab\n",
    chain: "key chain lab\n key 7\n  key-string secret\n key 9\n  key-string next\n",
  },
];

describe.skipIf(noRipWire !== undefined)(
  `RIP with authentication, with FRR's ripd${noRipWire ? ` (skipped: ${noRipWire})` : ""}`,
  { concurrent: true },
  () => {
    testOnWire.for(CASES)(
      "each learns the other's routes with $what, and not with another key",
      async ({ mode, keys, lines, chain }, { wire, expect }) => {
        const configure = (used: Case["keys"]) => {
          const words = used.map(({ id, key }) => (id === undefined ? key : `${id} ${key}`)).join(" ");
          return wire.lab.type("r1", `router rip authentication Ethernet1 ${mode} ${words}`);
        };
        await configure(keys);
        const end = await wire.lab.capture("ta", "udp port 520");
        wire.startFrr(chain + RIPD.replace("interface ta\n", `interface ta\n${lines}`));
        await eventually(wire.theirs, /R\(n\) 10\.50\.0\.0\/24 +10\.2\.0\.1 +2 10\.2\.0\.1/);
        await eventually(wire.ours, /R +\[120\/2\] +10\.60\.0\.0\/24 +10\.2\.0\.9 +Ethernet1/);
        const bad = async (): Promise<number> =>
          Number(/10\.2\.0\.9 +(\d+) +0 /.exec(await wire.lab.type("r1", "show ip rip status"))?.[1]);
        // The requests with which ripd begins have no authentication.
        const before = await bad();
        expect(before).toBeLessThan(3);
        const { all, wrong } = await end();
        // Both may have learned their routes by one message each.
        expect(all).toBeGreaterThan(1);
        expect(wrong).toEqual([]);
        await configure(keys.map((each) => ({ ...each, key: "x" })));
        await eventually(async () => `more: ${(await bad()) > before}`, /more: true/);
        await eventually(() => wire.frr.vtysh("show ip rip status"), /10\.2\.0\.1 +[1-9]\d* /);
      },
    );

    testOnWire(
      "a ripd with poisoned reverse and authentication: its messages are bad packets",
      async ({ wire, expect }) => {
        wire.startFrr(
          RIPD.replace(
            "interface ta\n",
            "interface ta\n ip rip split-horizon poisoned-reverse\n ip rip authentication mode text\n ip rip authentication string wire\n",
          ),
        );
        await eventually(() => wire.lab.type("r1", "show ip rip status"), /10\.2\.0\.9 +[1-9]\d* +0 /);
        expect(await wire.ours()).not.toContain("10.60.0.0");
      },
    );
  },
);
