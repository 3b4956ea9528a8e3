/** The console of a Linux node in a browser. */
import { existsSync } from "node:fs";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";
import { type PageLab, twoPcs } from "../helpers/page/two-pcs.ts";

const IMAGE = "bird";
const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), IMAGE) !== undefined;

describe.skipIf(!existsSync(BROWSER) || !hasImage)(
  `a Linux node on the page (skipped without chromium or the image ${IMAGE})`,
  () => {
    const stack = sharedService();
    let browser: Browser;
    let page: Page;
    const faults: string[] = [];

    beforeAll(async () => {
      const lab: PageLab = await twoPcs(stack.url);
      const nodes = lab.link.replace(/\/links\/.*$/, "/nodes");
      const properties = { image: IMAGE, ports: ["10.0.0.1/24"] };
      const linux = { name: "L1", node_type: "linux", compute_id: "local", x: 0, y: 120, properties };
      await lab.api("POST", nodes, linux);
      browser = await joinBrowser();
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(60_000);
      page.on("pageerror", (error) => faults.push(error.message));
      await page.goto(lab.address);
    }, 300_000);

    afterAll(async () => {
      await browser?.close();
    });

    test("has a console with its shell, which shows that a line runs", async () => {
      await page.getByRole("button", { name: "Start L1" }).click();
      await page.getByRole("button", { name: "Stop L1" }).waitFor();
      await page.locator(".parts .part", { hasText: "L1" }).first().dblclick();
      const rows = page.locator(".terminal:not([hidden]) .xterm-rows");
      await rows.filter({ hasText: "L1#" }).waitFor();
      await page.keyboard.type("ip -4 addr show eth0 && sleep 5", { delay: 5 });
      await page.keyboard.press("Enter");
      await rows.filter({ hasText: "[running" }).waitFor();
      await rows.filter({ hasText: "inet 10.0.0.1/24" }).waitFor();
      expect(await rows.innerText()).not.toContain("[running");
      expect(faults).toEqual([]);
    });
  },
);
