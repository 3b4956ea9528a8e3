/** The forms for the settings of devices in a browser. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KINDS } from "../../packages/engine/devices/kinds.ts";
import { shapesOf } from "../../page/src/settings/shapes.ts";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";

/** An event arrives within a second on a machine that has nothing else to do. */
const IN_TIME = { timeout: 60_000 };
const PICTURES = join(tmpdir(), "wirelab-page");

interface NodeAnswer {
  readonly node_id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

describe.skipIf(!existsSync(BROWSER))("the settings of devices (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let page: Page;
  let lab = "";
  const ids = new Map<string, string>();
  const faults: string[] = [];

  const api = async (method: string, path: string, body?: unknown): Promise<never> => {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${stack.url}/v2${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as never;
  };
  const nodeNamed = (name: string): string => `${lab}/nodes/${ids.get(name)}`;
  const propertiesOf = async (name: string) => ((await api("GET", nodeNamed(name))) as NodeAnswer).properties;
  const settles = (name: string, key: string, wanted: unknown) =>
    expect.poll(async () => (await propertiesOf(name))[key], IN_TIME).toEqual(wanted);
  const device = (name: string) => page.locator(".parts .part", { hasText: name }).first();
  const form = () => page.getByRole("form", { name: "Settings" });
  const field = (name: string) => form().getByLabel(name, { exact: true });
  const open = (title: string) => form().locator("summary", { hasText: title }).first().click();
  const select = async (name: string) => {
    await device(name).click();
    await page.getByRole("region", { name: `Device ${name}` }).waitFor();
    await form().locator("fieldset").first().waitFor();
  };
  const type = async (name: string, value: string) => {
    await field(name).fill(value);
    await page.keyboard.press("Tab");
  };
  const look = async (name: string) => {
    for (const colours of ["light", "dark"]) {
      await page.screenshot({ path: join(PICTURES, `${name} in ${colours} colours.png`) });
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: /^Use (dark|light) colours$/ }).click();
    }
  };

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    const { project_id } = (await api("POST", "/projects", { name: "forms" })) as { project_id: string };
    lab = `/projects/${project_id}`;
    for (const [index, { type: node_type, word }] of KINDS.entries()) {
      const name = word.replace(/\W.*/, "").toUpperCase();
      const place = { x: 160 * (index % 4) - 240, y: 120 * Math.floor(index / 4) - 60 };
      const body = { name, node_type, compute_id: "local", ...place };
      ids.set(name, ((await api("POST", `${lab}/nodes`, body)) as NodeAnswer).node_id);
    }
    browser = await joinBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 1100 } });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`${stack.url}/v2/page#${lab.replace("projects", "labs")}`);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
  });

  test("has a form for each type that the service makes, and a place in the palette", async () => {
    const palette = page.getByRole("navigation", { name: "Devices to add" });
    for (const { template } of KINDS)
      await palette.getByTitle(`Add: ${template.name}`, { exact: true }).waitFor();
    for (const [index, name] of [...ids.keys()].entries()) {
      await select(name);
      for (const { label } of shapesOf(KINDS[index]!).rows)
        expect(await form().getByText(label, { exact: true }).count(), `${name}: ${label}`).toBeGreaterThan(
          0,
        );
      expect(await violationsOf(page), name).toEqual([]);
      const { ports } = (await api("GET", nodeNamed(name))) as { ports: readonly object[] };
      const canConnect = await page.getByRole("button", { name: "Connect", exact: true }).count();
      expect([canConnect, await page.getByText("All ports are connected").count()]).toEqual([
        ports.length > 0 ? 1 : 0,
        0,
      ]);
    }
    await select("CLOUD");
    await form().getByRole("button", { name: "Add to Ports" }).click();
    await settles("CLOUD", "ports_mapping", [{ name: "Ethernet0", port_number: 0, type: "ethernet" }]);
  }, 120_000);

  test("sets VLANs and trunks of a switch in a table", async () => {
    await select("SWITCH");
    await type("VLAN of Ethernet0", "10");
    await field("Type of Ethernet1").selectOption("dot1q");
    await expect
      .poll(async () => ((await propertiesOf("SWITCH")).ports_mapping as unknown[]).slice(0, 2), IN_TIME)
      .toEqual([
        { name: "Ethernet0", port_number: 0, type: "access", vlan: 10 },
        { name: "Ethernet1", port_number: 1, type: "dot1q", vlan: 1 },
      ]);
    await form().getByRole("button", { name: "Add to Ports", exact: true }).click();
    await expect
      .poll(async () => ((await propertiesOf("SWITCH")).ports_mapping as unknown[]).length, IN_TIME)
      .toBe(9);
    await open("RSTP");
    await form().getByLabel("Use RSTP").check();
    await type("Priority", "4096");
    await settles("SWITCH", "rstp", { priority: 4096 });
    await look("form of a switch");
  });

  test("shows what the reader says at its field, keeps what was typed, and stores it corrected", async () => {
    await type("Priority", "1");
    await form().getByText("4096").first().waitFor();
    await type("VLAN of Ethernet2", "5000");
    await form().getByText("VLAN: must be 1 to 4094, not 5000").waitFor();
    // Another client changes the same setting meanwhile, and a device is selected and left.
    await api("PUT", nodeNamed("SWITCH"), { properties: { mtu: 1400 } });
    await expect.poll(() => field("MTU").inputValue(), IN_TIME).toBe("1400");
    await select("PC");
    await select("SWITCH");
    expect(await field("VLAN of Ethernet2").inputValue()).toBe("5000");
    expect(await field("VLAN of Ethernet2").getAttribute("aria-invalid")).toBe("true");
    await look("form of a switch with problems");
    await type("VLAN of Ethernet2", "20");
    await expect
      .poll(
        async () => ((await propertiesOf("SWITCH")).ports_mapping as { vlan: number }[])[2]?.vlan,
        IN_TIME,
      )
      .toBe(20);
    await settles("SWITCH", "rstp", { priority: 4096 });
    await form().getByRole("button", { name: "Revert" }).click();
    await settles("SWITCH", "mtu", 1400);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(
        async () => ((await propertiesOf("SWITCH")).ports_mapping as { vlan: number }[])[2]?.vlan,
        IN_TIME,
      )
      .toBe(1);
  });

  test("sets an address, a route and a service of a router", async () => {
    await select("ROUTER");
    await open("Ethernet0");
    await type("IPv4", "10.0.0.1/24");
    await expect
      .poll(async () => (await propertiesOf("ROUTER")).ports, IN_TIME)
      .toMatchObject([{ ipv4: "10.0.0.1/24" }, {}, {}, {}]);
    await open("Routes");
    await form().getByRole("button", { name: "Add to Routes" }).click();
    await form().getByText("To: must be a string").waitFor();
    await type("To of Routes 1", "10.9.0.0/16");
    await type("Via of 10.9.0.0/16", "10.0.0.2");
    await settles("ROUTER", "routes", [{ to: "10.9.0.0/16", via: "10.0.0.2" }]);
    await open("Syslog");
    await form().getByLabel("Use Syslog").check();
    await type("Servers", "10.0.0.9");
    await settles("ROUTER", "syslog", { servers: ["10.0.0.9"] });
    await look("form of a router");
    await form().getByRole("button", { name: "Wide" }).click();
    await look("wide form of a router");
    await form().getByRole("button", { name: "Wide" }).click();
  });

  test("a router that runs shows its settings, and takes none", async () => {
    await api("POST", `${nodeNamed("ROUTER")}/start`);
    await form().getByText("Stop the device to change its settings").waitFor();
    expect(await form().getByLabel("Use Syslog").isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect.poll(() => form().getByLabel("Use Syslog").isDisabled(), IN_TIME).toBe(false);
  });

  test("edits the script of a PC, which is there after a reload", async () => {
    await select("PC");
    await type("Start-up script", "ip 10.0.0.7/24 10.0.0.1\nping 10.0.0.1");
    await settles("PC", "startup_script", "ip 10.0.0.7/24 10.0.0.1\nping 10.0.0.1");
    await look("form of a PC");
    await page.reload();
    await select("PC");
    expect(await field("Start-up script").inputValue()).toBe("ip 10.0.0.7/24 10.0.0.1\nping 10.0.0.1");
    await select("SWITCH");
    expect(await field("VLAN of Ethernet0").inputValue()).toBe("10");
    await select("ROUTER");
    await open("Ethernet0");
    expect(await field("IPv4").inputValue()).toBe("10.0.0.1/24");
  });

  test("sets addresses, commands and files of a Linux node", async () => {
    await select("LINUX");
    await type("Commands", "ip link set eth0 up\nsysctl -w net.ipv4.ip_forward=1");
    await settles("LINUX", "commands", ["ip link set eth0 up", "sysctl -w net.ipv4.ip_forward=1"]);
    await open("eth0");
    await type("eth0", "10.0.1.1/24");
    await settles("LINUX", "ports", [["10.0.1.1/24"], [], [], []]);
    await open("Files");
    await form().getByLabel("Name to add to Files").fill("/etc/motd");
    await form().getByRole("button", { name: "Add to Files" }).click();
    await type("/etc/motd", "hello");
    await settles("LINUX", "files", { "/etc/motd": "hello" });
    await look("form of a Linux node");
  });

  test("sets what the map and clients see of a device", async () => {
    await select("LINUX");
    await page.getByText("Appearance and console").click();
    await page.getByLabel("Symbol").selectOption(":/symbols/classic/server.svg");
    await page.getByLabel("Console type").selectOption("none");
    const seen = async () => {
      const { symbol, console_type } = (await api("GET", nodeNamed("LINUX"))) as Record<string, unknown>;
      return [symbol, console_type];
    };
    await expect.poll(seen, IN_TIME).toEqual([":/symbols/classic/server.svg", "none"]);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(seen, IN_TIME).toEqual([":/symbols/classic/server.svg", "telnet"]);
  });

  test("causes no error on the browser's console", () => {
    expect(faults).toEqual([]);
  });
});
