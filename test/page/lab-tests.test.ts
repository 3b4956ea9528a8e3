/** The tests of a lab in a browser: they belong to the lab, follow it as it is now, and leave it as a lab file. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER, bytesOf, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";
import { type PageLab, twoPcs } from "../helpers/page/two-pcs.ts";

const PICTURES = join(tmpdir(), "wirelab-page");
const TEXT = "expect:\n  - reach: PC1 -> PC2\n";

describe.skipIf(!existsSync(BROWSER))("the tests of a lab (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let lab: PageLab;
  let page: Page;

  const open = async (): Promise<Page> => {
    const opened = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    opened.setDefaultTimeout(60_000);
    await opened.goto(lab.address);
    await opened.getByRole("button", { name: "Tests", exact: true }).click();
    return opened;
  };
  const textOf = (of: Page) => of.getByLabel("What must hold");
  const file = (): string => `${lab.link.replace(/\/links\/.*$/, "")}/files/tests.yaml`;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    lab = await twoPcs(stack.url);
    browser = await joinBrowser();
    page = await open();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
  });

  test("are a file of the project, which a colleague sees", async () => {
    await textOf(page).fill(TEXT);
    await expect
      .poll(async () => (await fetch(`${stack.url}/v2${file()}`)).text(), { timeout: 120_000 })
      .toBe(TEXT);
    const other = await open();
    await expect.poll(() => textOf(other).inputValue(), { timeout: 120_000 }).toBe(TEXT);
    await other.close();
  });

  test("play the lab as it is now, with what was typed at consoles", async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("1 failed").waitFor();
    const nodes = `${lab.link.replace(/\/links\/.*$/, "")}/nodes`;
    await lab.api("POST", `${nodes}/start`, {});
    const all = (await lab.api("GET", nodes)) as readonly { node_id: string; name: string }[];
    for (const { node_id, name } of all)
      await lab.api("POST", `${nodes}/${node_id}/console`, { commands: [`ip 10.0.0.${name.slice(2)}/24`] });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("1 passed").waitFor();
    await page.screenshot({ path: join(PICTURES, "lab-tests.png") });
    expect(await violationsOf(page)).toEqual([]);
  });

  test("leave the page with the lab as a file that plays the same", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as .lab.yaml" }).click(),
    ]);
    const text = String(await bytesOf(download));
    expect(text).toContain("PC1: 10.0.0.1/24");
    const { status, verdicts } = runLab(parseLabFile(text, { name: "saved" }));
    expect([status, verdicts.length]).toEqual(["passed", 1]);
  });
});
