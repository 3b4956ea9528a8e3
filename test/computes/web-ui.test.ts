/** The GNS3 Web UI shows two real computes, and types at the consoles of a node on each. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { computePrograms } from "../helpers/rig/programs.ts";
import { makeRealPair, type RealPair, Rig } from "../helpers/rig/rig.ts";
import { findClient } from "../helpers/service/clients.ts";
import { type SameOrigin, serveWith } from "../helpers/service/same-origin.ts";

const PREFIX = "/static/web-ui";
const BROWSER = "/usr/bin/chromium";
const pages = findClient("gns3-web-ui-bundle");
const isComplete = pages !== undefined && existsSync(BROWSER) && computePrograms !== undefined;
/** The time between two keys of a fast typist. */
const TYPING_MS = 60;

describe.skipIf(!isComplete)(
  "the Web UI with two real computes (skipped without chromium, the UI's files and the programs of computes: test/clients/fetch.sh, test/computes/fetch.sh)",
  () => {
    let rig: Rig;
    let origin: SameOrigin;
    let browser: Browser;
    let page: Page;
    let pair: RealPair;
    let received = "";

    beforeAll(async () => {
      rig = await Rig.start(2);
      pair = await makeRealPair(rig, "two-computes");
      for (const [index, node] of pair.nodes.entries()) {
        await rig.done("PUT", node, { x: index * 300 - 150, y: 0 });
        await rig.done("POST", `${node}/start`);
      }
      origin = await serveWith(pages!, PREFIX, { url: rig.stack.url, credentials: undefined });
      browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
      page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      page.setDefaultTimeout(30_000);
      await page.route(
        (url) => url.origin !== origin.url,
        (route) => route.abort(),
      );
      page.on("websocket", (socket) => {
        if (!socket.url().endsWith("/console/ws")) return;
        socket.on("framereceived", ({ payload }) => {
          received += String(payload);
        });
      });
    });

    afterAll(async () => {
      await browser?.close();
      await origin?.stop();
      await rig?.stop();
    });

    test("lists both computes beside the project's map", async () => {
      await page.goto(`${origin.url}${PREFIX}/bundled`);
      await page.waitForURL(/\/projects$/);
      await page.getByText("two-computes", { exact: true }).first().click();
      await page.waitForURL(/\/project\//);
      await expect.poll(() => page.locator("g.node").count(), { timeout: 30_000 }).toBe(2);
      await page.getByRole("tab", { name: "Servers" }).click();
      for (const id of rig.ids) await page.getByText(id).first().waitFor();
    });

    test.each([0, 1])("types at the console of node %i", async (index) => {
      received = "";
      const id = pair.nodes[index]!.split("/").at(-1);
      await page.locator(`g.node[node_id="${id}"] image`).click({ button: "right" });
      await page.waitForTimeout(500);
      await page.getByRole("menuitem", { name: "Web console" }).first().click();
      await page.waitForTimeout(1_500);
      await page.keyboard.press("Enter");
      // The prompt that VPCS printed when it started, and that of Enter; VPCS discards keys that it gets between the two.
      await expect.poll(() => received.split(`PC${index + 1}> `).length, { timeout: 60_000 }).toBe(3);
      await page.keyboard.type(`ping 10.0.0.${2 - index} -c 2`, { delay: TYPING_MS });
      await page.keyboard.press("Enter");
      await expect.poll(() => received, { timeout: 60_000 }).toMatch(/10\.0\.0\.\d icmp_seq=2/);
      await page
        .locator("app-console-wrapper")
        .locator('button:has(mat-icon:text-is("close"))')
        .last()
        .click();
      await page.waitForTimeout(500);
    });
  },
);
