/** What people expect of an editor, in a browser: menus, the palette, keys, several parts at once. All tests use one lab. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { boundsOf, FIT, fitBounds } from "../../page/src/viewport/bounds.ts";
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
  const focused = (): Promise<string> =>
    page.evaluate("document.activeElement.textContent") as Promise<never>;
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

  test("draws a cable with a click on each of two devices, at their lowest free ports", async () => {
    const path = lab.nodes[0]!.replace(/\/[^/]*$/, "");
    for (const [name, x] of [
      ["SW1", -150],
      ["SW2", 150],
    ])
      await lab.api("POST", path, { name, node_type: "ethernet_switch", compute_id: "local", x, y: -150 });
    await inList("SW2").waitFor();
    await page.keyboard.press("0");
    const canvas = (await page.getByRole("region", { name: "Topology" }).boundingBox())!;
    const all = (await nodes()) as readonly (Node & { readonly width: number; readonly height: number })[];
    const { zoom, pan } = fitBounds(boundsOf(all), canvas, FIT);
    const click = async (name: string) => {
      const { x, y, width, height } = all.find((each) => each.name === name)!;
      await page.mouse.click(
        canvas.x + pan.x + zoom * (x + width / 2),
        canvas.y + pan.y + zoom * (y + height / 2),
      );
    };
    await page.keyboard.press("c");
    await click("SW1");
    await click("SW2");
    await page.getByText("SW1 e0 – SW2 e0").waitFor();
    await click("SW1");
    await click("SW2");
    await page.getByText("SW1 e1 – SW2 e1").waitFor();
    await page.keyboard.press("Escape");
  });

  test("copies devices with their links, impairments and files into a lab in another tab", async () => {
    await lab.api("PUT", `${lab.link}/impairments`, { both: { delay: "20ms" } });
    const saved = { method: "POST", body: "ip 10.9.0.1/24" };
    expect((await fetch(`${stack.url}/v2${lab.nodes[0]}/files/startup.vpc`, saved)).status).toBe(201);
    const other = (await lab.api("POST", "/projects", { name: "copies" })) as { project_id: string };
    const path = `/projects/${other.project_id}`;
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    const tab = await open(`${stack.url}/v2/page#/labs/${other.project_id}`);
    await tab.keyboard.press("Control+v");
    await tab.locator(".parts .part", { hasText: "SW1 e1 – SW2 e1" }).waitFor();
    const [link] = (await lab.api("GET", `${path}/links`)) as readonly { link_id: string }[];
    await expect
      .poll(() => lab.api("GET", `${path}/links/${link!.link_id}/impairments`))
      .toMatchObject({ both: { delay: "20ms" } });
    const copies = (await lab.api("GET", `${path}/nodes`)) as readonly Node[];
    const { node_id } = copies.find(({ name }) => name === "PC1")!;
    const file = await fetch(`${stack.url}/v2${path}/nodes/${node_id}/files/startup.vpc`);
    expect(await file.text()).toBe("ip 10.9.0.1/24");
    await tab.keyboard.press("Control+z");
    await expect.poll(() => lab.api("GET", `${path}/nodes`)).toEqual([]);
    await tab.close();
  });

  test("takes snapshots and puts the lab back, which can be undone", async () => {
    await page.getByRole("button", { name: "Snapshots" }).click();
    const dialog = page.getByRole("dialog", { name: "Snapshots" });
    await dialog.getByText("There is no snapshot yet.").waitFor();
    await dialog.getByLabel("Name of the snapshot").fill("four");
    await dialog.getByRole("button", { name: "Take" }).click();
    await dialog.getByRole("button", { name: "Restore four" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await inList("SW1").click();
    await page.keyboard.press("Delete");
    await page.locator(".notice").getByRole("button", { name: "Undo" }).waitFor();
    await expect.poll(async () => (await nodes()).length).toBe(3);
    await page.getByRole("button", { name: "Snapshots" }).click();
    await dialog.getByRole("button", { name: "Restore four" }).click();
    await expect.poll(async () => (await nodes()).length).toBe(4);
    await dialog.waitFor({ state: "hidden" });
    // The offer ends with the next change.
    await page.locator(".notice").waitFor({ state: "hidden" });
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await nodes()).length).toBe(3);
    await page.keyboard.press("Control+y");
    await expect.poll(async () => (await nodes()).length).toBe(4);
  });

  test("shares the lab with users, and takes that back", async () => {
    const shares = async () =>
      ((await lab.api("GET", lab.link.replace(/\/links.*$/, ""))) as { shared_with: unknown }).shared_with;
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Share" });
    await dialog.getByLabel("User", { exact: true }).fill("bob");
    await dialog.getByRole("button", { name: "Share", exact: true }).click();
    await dialog.getByLabel("Role of bob").selectOption("editor");
    await expect.poll(shares).toEqual([{ user: "bob", role: "editor" }]);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("Control+z");
    await expect.poll(shares).toEqual([{ user: "bob", role: "viewer" }]);
    await page.keyboard.press("Control+z");
    await expect.poll(shares).toEqual([]);
  });

  test("makes tests by clicks: two devices, the traffic of a link, and a cell of the sweep", async () => {
    await inList("PC1").click();
    await inList("PC2").click({ modifiers: ["Control"] });
    await page.getByRole("button", { name: "Test: must reach" }).click();
    await page.locator(".notice", { hasText: "PC1 must reach PC2" }).waitFor();
    await inList("PC1 e0 – PC2 e0").click({ button: "right" });
    await menu().getByRole("menuitem", { name: "Test: traffic of the link" }).click();
    const dialog = page.getByRole("dialog", { name: "Traffic that is expected" });
    await dialog.getByLabel("Packets that match").fill("icmp");
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add to the tests" }).click();
    await page
      .locator(".notice", { hasText: "must carry icmp" })
      .getByRole("button", { name: "Show" })
      .click();
    const text = page.getByLabel("What must hold");
    await expect
      .poll(() => text.inputValue())
      .toBe("expect:\n  - reach: PC1 -> PC2\n  - {seen: icmp, link: PC1:0 -- PC2:0}\n");
    await page.getByRole("button", { name: "Sweep failures" }).click();
    // The first cell is what the tests have already.
    await page.locator(".matrix td button").nth(1).click();
    await page.locator(".notice", { hasText: "be reached" }).waitFor();
    await expect.poll(async () => (await text.inputValue()).split("\n").length).toBe(5);
    await picture("checks");
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    await expect.poll(async () => (await text.inputValue()).split("\n").length).toBe(4);
  });

  test("takes pictures that are dropped onto the map, and saves the map as a picture", async () => {
    const drawings = (): Promise<readonly { readonly svg: string }[]> =>
      lab.api("GET", lab.link.replace(/\/links.*$/, "/drawings")) as Promise<never>;
    // A picture of 1200 times 900 pixels.
    await page.evaluate(`(async () => {
      const canvas = new OffscreenCanvas(1200, 900);
      canvas.getContext("2d").fillRect(0, 0, 600, 900);
      const file = new File([await canvas.convertToBlob()], "rack.png", { type: "image/png" });
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file);
      const map = document.querySelector(".graph");
      const { left, top } = map.getBoundingClientRect();
      const at = { clientX: left + 200, clientY: top + 120 };
      map.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer, ...at }));
    })()`);
    await expect
      .poll(
        async () => (await drawings())[0]?.svg ?? (await page.locator(".notice").allTextContents()).join(),
      )
      .toMatch(/width="800" height="600"><image href="data:image/);
    await page.locator(".drawings img").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("as png");
        await page.keyboard.press("Enter");
      })(),
    ]);
    const bytes = readFileSync((await download.path())!);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.length).toBeGreaterThan(2_000);
    await page.keyboard.press("Control+z");
    await expect.poll(drawings).toEqual([]);
  });

  test("reports nothing on the browser's console", () => {
    // The lab had no tests before.
    expect(faults.filter((text) => !text.includes("404"))).toEqual([]);
  });
});
