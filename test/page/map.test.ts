/** The map of a lab in a browser: what it shows, and what the mouse and the keys do in it. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalStack, startLocalStack } from "../../infra/local/local-stack.ts";
import { largeLab } from "../bench/page/large-lab.ts";

const BROWSER = "/usr/bin/chromium";
const PICTURES = join(tmpdir(), "wirelab-page");

describe.skipIf(!existsSync(BROWSER))("the map (skipped without chromium)", () => {
  let stack: LocalStack;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  /** Paths in the interface. */
  let large = "";

  async function api(method: string, path: string, body?: unknown) {
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(`${stack.url}/v2${path}`, {
      method,
      headers: { "content-type": isBytes ? "application/octet-stream" : "application/json" },
      ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  const open = async (lab: string) => {
    await page.goto("about:blank");
    await page.goto(`${stack.url}/v2/page#/labs/${lab.split("/").at(-1)}`);
    await page.waitForFunction(() => performance.getEntriesByName("topology drawn").length > 0);
  };
  const picture = (name: string) => page.screenshot({ path: join(PICTURES, `map ${name}.png`) });
  const device = (name: string) => page.locator(".parts .part", { hasText: name }).first();

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    stack = await startLocalStack({ inMemory: true, port: 0, quiet: true });
    const { archive } = largeLab(2);
    const imported = await api("POST", `/projects/${crypto.randomUUID()}/import?name=large`, archive);
    large = `/projects/${imported.project_id}`;
    browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(30_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** The part of the minimap that the map shows, once it does not move any more. */
  const shown = async () => {
    const box = () => page.locator(".minimap-window").boundingBox();
    let before = await box();
    await expect
      .poll(async () => {
        const last = before;
        before = await box();
        return JSON.stringify(before) === JSON.stringify(last);
      })
      .toBe(true);
    return before!;
  };

  test("a click into the minimap moves the map there", async () => {
    await open(large);
    const minimap = page.getByRole("img", { name: /^Minimap of 40 devices/ });
    const { x, y, width, height } = (await minimap.boundingBox())!;
    await page.keyboard.press("0");
    for (let step = 0; step < 6; step += 1) await page.keyboard.press("+");
    await minimap.click({ position: { x: 60, y: 40 } });
    await picture("minimap");
    const left = await shown();
    expect(left.x + left.width / 2).toBeCloseTo(x + 60, 0);
    expect(left.y + left.height / 2).toBeCloseTo(y + 40, 0);
    await page.mouse.move(x + 60, y + 40);
    await page.mouse.down();
    await page.mouse.move(x + width - 50, y + height - 30, { steps: 3 });
    await page.mouse.up();
    const right = await shown();
    expect(right.x + right.width / 2).toBeCloseTo(x + width - 50, 0);
    expect(right.y + right.height / 2).toBeCloseTo(y + height - 30, 0);
  });

  test("the cursor keys move the map when nothing is selected", async () => {
    const before = await shown();
    await page.keyboard.press("ArrowLeft");
    expect((await shown()).x).toBeLessThan(before.x);
  });

  test("a device that is chosen in the list is shown, and the map stays if it is in sight", async () => {
    await page.keyboard.press("0");
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("+");
    const before = await shown();
    await device("PC1").click();
    await expect.poll(async () => (await shown()).x).not.toBe(before.x);
    const moved = await shown();
    await device("PC2").click();
    expect(await shown()).toEqual(moved);
    await picture("chosen");
  });

  test("the minimap stays hidden when the user hides it", async () => {
    await page.getByRole("button", { name: "Hide the minimap" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Minimap", exact: true }).click();
    await page.getByRole("img", { name: /^Minimap/ }).waitFor();
  });

  test("nothing is reported on the browser's console", () => {
    expect(faults).toEqual([]);
  });
});
