/** Why a packet went no further, in a browser: what a replay of the lab adds to its way. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";

const PICTURES = join(tmpdir(), "wirelab-page");

interface Made {
  readonly node_id: string;
  readonly ports: readonly { readonly adapter_number: number; readonly port_number: number }[];
}

describe.skipIf(!existsSync(BROWSER))("the cause of a packet's end (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  async function api(method: string, path: string, body?: unknown): Promise<never> {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${stack.url}/v2${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as never;
  }

  /** PC1 - SW1 - R1 - PC2, with captures of all links, after a ping of an address that R has no route to. */
  async function makeLab(): Promise<string> {
    const { project_id } = (await api("POST", "/projects", { name: "no route" })) as { project_id: string };
    const lab = `/projects/${project_id}`;
    const add = (name: string, node_type: string, x: number, properties: object): Promise<Made> =>
      api("POST", `${lab}/nodes`, { name, node_type, x, y: 0, properties, compute_id: "local" });
    const pc = await add("PC1", "vpcs", -200, { startup_script: "ip 10.0.1.2/24 10.0.1.1" });
    const sw = await add("SW1", "ethernet_switch", 0, {});
    const r = await add("R1", "router", 200, { ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }] });
    const pc2 = await add("PC2", "vpcs", 400, {});
    const links: string[] = [];
    for (const ends of [
      [pc, 0, sw, 0],
      [sw, 1, r, 0],
      [r, 1, pc2, 0],
    ] as const) {
      const [a, aPort, b, bPort] = ends;
      const endOf = ({ node_id, ports }: Made, port: number) => {
        const { adapter_number, port_number } = ports[port]!;
        return { node_id, adapter_number, port_number };
      };
      const body = { nodes: [endOf(a, aPort), endOf(b, bPort)] };
      const { link_id } = (await api("POST", `${lab}/links`, body)) as { link_id: string };
      links.push(`${lab}/links/${link_id}`);
    }
    await api("POST", `${lab}/nodes/start`);
    for (const link of links) await api("POST", `${link}/start_capture`, {});
    await api("POST", `${lab}/nodes/${pc.node_id}/console`, { commands: ["ping 10.9.9.9 -c 1"] });
    for (const link of links) await api("POST", `${link}/stop_capture`);
    return `${stack.url}/v2/page#/labs/${project_id}`;
  }

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    browser = await joinBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(await makeLab());
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
  });

  const row = (text: string) => page.locator(".packet-rows [role=option]", { hasText: text }).first();

  test("is found by a replay of the lab, in the words of the engine", async () => {
    await page.getByRole("button", { name: "Packets", exact: true }).click();
    await page.locator(".filter-box input").fill("icmp and dst host 10.9.9.9");
    await page.getByText(/^\d+ of \d+ packets/).waitFor();
    await row("Echo request").click();
    await page.getByText("is the last that is known to have it").waitFor();
    await page.getByRole("button", { name: "Find the cause" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^In a replay of the lab as it is now: R1 discards it: .*route.*\.$/).waitFor();
    await page.screenshot({ path: join(PICTURES, "cause.png") });
    expect(await violationsOf(page)).toEqual([]);
  });

  test("is not asked for when the packet arrived", async () => {
    await page.locator(".filter-box input").fill("icmp and src host 10.0.1.1");
    await row("unreachable").click();
    await page.getByText("✓ takes it").waitFor();
    expect(await page.getByRole("button", { name: "Find the cause" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
