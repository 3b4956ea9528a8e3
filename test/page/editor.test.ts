/** What people expect of an editor, in a browser: menus, the palette, keys, several parts at once. All tests use one lab. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { type PageLab, twoPcs } from "../helpers/page/two-pcs.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";

const PICTURES = join(tmpdir(), "wirelab-page");

interface Node {
  readonly name: string;
  readonly node_id: string;
  readonly status: string;
  readonly x: number;
  readonly y: number;
}

describe.skipIf(!existsSync(BROWSER))("the editor (skipped without chromium)", () => {
  let stack: LocalStack;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let lab: PageLab;
  const faults: string[] = [];

  const nodes = async (): Promise<readonly Node[]> =>
    lab.api("GET", lab.nodes[0]!.replace(/\/[^/]*$/, "")) as Promise<never>;
  const node = async (name: string): Promise<Node> =>
    (await nodes()).find((each) => each.name === name) ?? Promise.reject(new Error(`no ${name}`));
  const inList = (name: string) => page.locator(".parts .part", { hasText: name }).first();
  const focused = (): Promise<string> => page.evaluate("document.activeElement.textContent") as Promise<never>;
  const menu = () => page.getByRole("menu");
  const picture = (name: string) => page.screenshot({ path: join(PICTURES, `editor ${name}.png`) });
  const open = async (address: string): Promise<Page> => {
    const opened = await context.newPage();
    opened.setDefaultTimeout(60_000);
    opened.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    opened.on("pageerror", (error) => faults.push(error.message));
    await opened.goto(address);
    await opened.waitForFunction(() => performance.getEntriesByName("topology drawn").length > 0);
    return opened;
  };

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    stack = await startInMemory();
    lab = await twoPcs(stack.url);
    browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
    context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
      reducedMotion: "reduce",
    });
    page = await open(lab.address);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  test("has a menu of what is right-clicked, which the keyboard drives, and the focus returns", async () => {
    await inList("PC1").focus();
    await page.keyboard.press("Shift+F10");
    await menu().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("s");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await node("PC1")).status).toBe("started");
    expect(await menu().count()).toBe(0);
    expect(await focused()).toContain("PC1");
    await inList("PC1").click({ button: "right" });
    await menu().getByRole("menuitem", { name: "Stop" }).click();
    await expect.poll(async () => (await node("PC1")).status).toBe("stopped");
    const canvas = (await page.getByRole("region", { name: "Topology" }).boundingBox())!;
    await page.mouse.click(canvas.x + canvas.width / 2, canvas.y + canvas.height - 60, { button: "right" });
    await menu().getByRole("menuitem", { name: "Select all" }).click();
    await page.getByRole("region", { name: "Selected parts" }).getByText("2 devices, 1 link").waitFor();
    await page.keyboard.press("Escape");
  });

  test("finds devices by their addresses, and runs commands of the palette", async () => {
    await lab.api("PUT", lab.nodes[1]!, { properties: { startup_script: "ip 10.9.0.2/24" } });
    await inList("PC1").focus();
    const field = page.getByRole("combobox", { name: /^Devices, addresses/ });
    await page.keyboard.press("Control+f");
    await field.fill("10.9");
    await page.getByRole("option", { name: /PC2/ }).waitFor();
    await picture("search");
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await focused()).toContain("PC1");
    await page.keyboard.press("Control+f");
    await field.fill("10.9");
    await page.getByRole("option", { name: /PC2/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Device PC2" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("start or");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await node("PC2")).status).toBe("started");
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await node("PC2")).status).toBe("stopped");
  });

  test("lists its keys, of which those of one character can be switched off", async () => {
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByRole("row", { name: /Ctrl-Z/ }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await keys.getByLabel("Keys of one character are on").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.keyboard.press("F2");
    expect(await keys.count()).toBe(0);
    await page.getByRole("button", { name: "Keys", exact: true }).click();
    await keys.getByLabel("Keys of one character are on").check();
    await keys.getByRole("button", { name: "Close" }).click();
  });

  test("renames with F2, and selects several parts of the list, which a panel changes together", async () => {
    await inList("PC2").click();
    await page.keyboard.press("F2");
    await page.keyboard.type("Server2");
    await page.keyboard.press("Tab");
    await expect.poll(async () => (await nodes()).map(({ name }) => name)).toContain("Server2");
    await page.getByRole("button", { name: "Undo" }).click();
    await inList("PC2").waitFor();
    await inList("PC1").click();
    await inList("PC2").click({ modifiers: ["Shift"] });
    const panel = page.getByRole("region", { name: "Selected parts" });
    await panel.getByRole("button", { name: "Start", exact: true }).click();
    await expect
      .poll(async () => (await nodes()).map(({ status }) => status))
      .toEqual(["started", "started"]);
    await page.keyboard.press("Control+z");
    await expect
      .poll(async () => (await nodes()).map(({ status }) => status))
      .toEqual(["stopped", "stopped"]);
    await picture("several");
    await page.keyboard.press("Escape");
  });

  test("reports nothing on the browser's console", () => {
    expect(faults).toEqual([]);
  });
});
