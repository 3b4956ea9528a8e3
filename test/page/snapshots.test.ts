/**
 * How five views look, in light and dark colours, compared with stored pictures (test/page/snapshots). A font of boxes takes the place of
 * all others, so the pictures are the same on machines with other fonts.
 */
import { existsSync, readFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { compareSnapshot } from "./snapshots/compare.ts";

const BROWSER = "/usr/bin/chromium";
const FONT = readFileSync(new URL("./snapshots/boxes.ttf", import.meta.url));
const STYLE = `
@font-face { font-family: Boxes; src: url(./boxes.ttf); font-display: block; }
:root, * { font-family: Boxes !important; font-weight: 400 !important; font-style: normal !important; }
*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
.xterm-cursor { visibility: hidden; }
::-webkit-scrollbar { display: none; }
`;
const TESTS = `run:
  - {at: 1s, console: {PC1: ping 10.0.0.2 -c 8}}
expect:
  - reach: all
`;

describe.skipIf(!existsSync(BROWSER))("the looks of the page (skipped without chromium)", () => {
  let stack: LocalStack;
  let browser: Browser;
  let lab = "";

  async function api(method: string, path: string, body?: unknown) {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${stack.url}/v2${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  beforeAll(async () => {
    stack = await startInMemory();
    const variables = [{ name: "seed", value: "1" }];
    const { project_id } = await api("POST", "/projects", { name: "Branch office", variables });
    await api("POST", "/projects", { name: "Data centre" });
    lab = `/projects/${project_id}`;
    const add = async (name: string, type: string, [x, y]: readonly [number, number], address?: string) => {
      const { node_id } = await api("POST", `${lab}/nodes`, {
        ...{ name, x, y, compute_id: "local", node_type: type },
        symbol: `:/symbols/${type === "vpcs" ? "vpcs_guest" : type}.svg`,
        ...(address && { properties: { startup_script: `ip ${address}/24` } }),
      });
      return node_id as string;
    };
    const [pc1, pc2] = [
      await add("PC1", "vpcs", [-220, 60], "10.0.0.1"),
      await add("PC2", "vpcs", [160, 60], "10.0.0.2"),
    ];
    const hub = await add("SW1", "ethernet_switch", [-30, -60]);
    const connect = (node_id: string, port_number: number, filters: object) =>
      api("POST", `${lab}/links`, {
        nodes: [
          { node_id, adapter_number: 0, port_number: 0 },
          { node_id: hub, adapter_number: 0, port_number },
        ],
        filters,
      });
    const { link_id } = await connect(pc1, 0, { delay: [10, 0] });
    await connect(pc2, 1, {});
    const svg =
      '<svg width="230" height="120"><rect fill="#cfe8d6" stroke="#16845b" stroke-width="2" width="230" height="120"/></svg>';
    await api("POST", `${lab}/drawings`, { svg, x: 90, y: 20, z: 0 });
    await api("POST", `${lab}/nodes/start`);
    await api("POST", `${lab}/links/${link_id}/start_capture`, {});
    await api("POST", `${lab}/nodes/${pc1}/console`, { commands: ["ping 10.0.0.2 -c 3"] });
    await api("POST", `${lab}/links/${link_id}/stop_capture`);
    browser = await chromium.launch({
      executablePath: BROWSER,
      args: ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text"],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  async function newPage(colorScheme: "light" | "dark"): Promise<Page> {
    const page = await browser.newPage({
      ...{ viewport: { width: 1024, height: 700 }, deviceScaleFactor: 1 },
      ...{ colorScheme, reducedMotion: "reduce" },
    });
    page.setDefaultTimeout(60_000);
    await page.route("**/boxes.ttf", (route) => route.fulfill({ body: FONT, contentType: "font/ttf" }));
    await page.route("**/v2/page/*.css", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()) + STYLE });
    });
    return page;
  }

  test.each(["light", "dark"] as const)(
    "labs, topology, packets, consoles and tests in %s colours",
    async (colours) => {
      const page = await newPage(colours);
      const differences: string[] = [];
      const look = async (name: string) => {
        await page.evaluate("document.fonts.ready");
        // Two pictures that are equal show that the page has come to rest.
        let picture = await page.screenshot();
        await expect
          .poll(
            async () => {
              const before = picture;
              picture = await page.screenshot();
              return before.equals(picture);
            },
            { timeout: 30_000, interval: 300 },
          )
          .toBe(true);
        differences.push(compareSnapshot(`${name}-${colours}`, picture));
      };
      await page.goto(`${stack.url}/v2/page`);
      await page.getByRole("link", { name: "Data centre" }).waitFor();
      await page.getByText("3 devices, 2 links").waitFor();
      await page.getByText("0 devices, 0 links").waitFor();
      await look("labs");
      await page.getByRole("link", { name: "Branch office" }).click();
      await page.waitForFunction(() => performance.getEntriesByName("topology drawn").length > 0);
      await page.getByRole("navigation", { name: "Devices to add" }).getByText("NAT").waitFor();
      await look("topology");
      await page.getByRole("button", { name: "Packets", exact: true }).click();
      await page.locator(".packet-rows [role=option]").nth(5).waitFor();
      await look("packets");
      await page.getByRole("button", { name: "Consoles", exact: true }).click();
      await page.getByRole("button", { name: /^PC1 .*started/ }).dblclick();
      await page.locator(".xterm-rows", { hasText: "PC1>" }).waitFor();
      await page.getByRole("heading", { name: /^Devices/ }).click();
      await look("consoles");
      await page.getByRole("button", { name: "Tests", exact: true }).click();
      await page.locator("#tests-text").fill(TESTS);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const plot = page.getByRole("img", { name: /^Round trips of 8 pings: at most 2\d(\.\d+)? ms$/ });
      await plot.waitFor();
      await page.getByText("The plots as tables").click();
      await page.getByRole("table", { name: "Pings" }).waitFor();
      await page.getByText("The plots as tables").click();
      await plot.scrollIntoViewIfNeeded();
      await look("tests");
      expect(differences.filter((words) => words !== "")).toEqual([]);
      await page.close();
    },
  );
});
