/** The list of labs and the gallery in a browser. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser } from "../helpers/page/join.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";

const run = promisify(execFile);
const LAB_FILE = "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect: [{reach: all}]\n";

describe.skipIf(!existsSync(BROWSER))("the list of labs (skipped without chromium)", () => {
  let stack: LocalStack;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  const create = async (name: string, more: object = {}): Promise<string> => {
    const init = { method: "POST", body: JSON.stringify({ name, ...more }) };
    const response = await fetch(`${stack.url}/v2/projects`, init);
    const { project_id } = (await response.json()) as { project_id: string };
    return project_id;
  };
  const names = () => page.locator(".lab-row a").allTextContents();
  const row = (name: string) => page.locator(".lab-row", { has: page.getByRole("link", { name }) });
  /** In both colour schemes, and at the width of a telephone, where nothing may be cut off. */
  const checkLooks = async () => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  beforeAll(async () => {
    stack = await startInMemory();
    const office = await create("Office 2");
    for (const [name, x] of [
      ["PC1", -100],
      ["PC2", 100],
    ]) {
      const node = { name, x, y: 0, node_type: "vpcs", compute_id: "local" };
      const init = { method: "POST", body: JSON.stringify(node) };
      await fetch(`${stack.url}/v2/projects/${office}/nodes`, init);
    }
    await fetch(`${stack.url}/v2/projects/${office}/nodes/start`, { method: "POST" });
    await create("Data centre", { expires_at: "2126-01-01T10:00:00Z" });
    await create("Office 10");
    browser = await joinBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(stack.url);
    await page.getByRole("link", { name: "Office 10" }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    expect(faults).toEqual([]);
  });

  test("shows what a lab is, and the size, state, end and picture of each", async () => {
    await page.getByText("A lab is a network of simulated devices").waitFor();
    await row("Office 2").getByText("2 devices, 0 links · 2 started · open").waitFor();
    expect(await row("Office 2").locator(".sketch circle").count()).toBe(2);
    await row("Data centre").getByText("deleted after 2126-01-01 10:00 UTC").waitFor();
    await checkLooks();
  });

  test("is searched and sorted", async () => {
    expect(await names()).toEqual(["Office 10", "Data centre", "Office 2"]);
    await page.getByLabel("Order of the labs").selectOption("By name");
    expect(await names()).toEqual(["Data centre", "Office 2", "Office 10"]);
    await page.getByRole("searchbox").fill("office");
    expect(await names()).toEqual(["Office 2", "Office 10"]);
    await page.getByRole("searchbox").fill("nothing");
    await page.getByText("No lab has “nothing” in its name or owner.").waitFor();
    await page.getByRole("searchbox").fill("");
  });

  test("renames a lab with the keyboard, and keeps a name that is refused", async () => {
    const button = page.getByRole("button", { name: "Rename Office 10" });
    await button.press("Enter");
    const field = page.getByLabel("New name of Office 10");
    await field.press("Escape");
    await expect
      .poll(() => button.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await button.press("Enter");
    await field.fill("Data centre");
    await field.press("Enter");
    await page.locator(".notice.problem").waitFor();
    expect(await field.inputValue()).toBe("Data centre");
    await field.fill("Warehouse");
    await field.press("Enter");
    await expect.poll(names).toEqual(["Data centre", "Office 2", "Warehouse"]);
  });

  test("says what became of each file of an import", async () => {
    const files = [
      { name: "two.lab.yaml", mimeType: "text/yaml", buffer: Buffer.from(LAB_FILE) },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") },
    ];
    await page.getByLabel("Import…").setInputFiles(files);
    const report = page.getByRole("region", { name: "Imported files" });
    await report.getByText("2 devices, 1 link, and its tests").waitFor();
    await report.getByText("notes.txt is no lab").waitFor();
    await checkLooks();
    await report.getByRole("button", { name: "Dismiss" }).click();
    expect(await report.count()).toBe(0);
    await row("two").getByText("2 devices, 1 link").waitFor();
  });

  test("has a gallery whose cards show the examples, and create them", async () => {
    await page.getByRole("link", { name: "Examples" }).click();
    const card = page.locator(".card", { has: page.getByRole("heading", { name: "VLAN trunk" }) });
    await card.getByText("Two VLANs on two switches").waitFor();
    await card.getByText(/\d devices, \d links/).waitFor();
    expect(await card.locator(".sketch rect").count()).toBe(2);
    await expect
      .poll(() => page.locator(".card", { hasText: / devices, / }).count())
      .toBe(await page.locator(".card").count());
    await checkLooks();
    await card.getByRole("button", { name: "Create VLAN trunk" }).press("Enter");
    await page.getByRole("heading", { name: "VLAN trunk" }).waitFor({ state: "attached" });
    await page.getByRole("link", { name: "All labs" }).click();
    await page.getByRole("link", { name: "VLAN trunk" }).waitFor();
  });

  test("leads to the API page, whose first request makes a lab", async () => {
    await page.getByRole("link", { name: "API" }).click();
    const request = `curl -d '{"name": "First lab"}' ${stack.url}/v2/projects`;
    await expect.poll(() => page.locator("#request").textContent()).toBe(request);
    // Not synchronous: this process serves the request.
    const { stdout } = await run("sh", ["-c", `${request} --silent`]);
    expect(JSON.parse(stdout)).toMatchObject({ name: "First lab" });
    await page.getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate("getSelection().toString()")).toBe(request);
    await page.getByRole("link", { name: "The page" }).click();
    await page.getByRole("link", { name: "First lab" }).waitFor();
  });
});
