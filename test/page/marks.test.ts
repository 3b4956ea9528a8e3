/** The marks of links in a browser: shapes and names, on the map and in the list. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";
import { type PageLab, twoPcs } from "../helpers/page/two-pcs.ts";

const PICTURES = join(tmpdir(), "wirelab-page");
const ENDS = "PC1 e0 – PC2 e0";

describe.skipIf(!existsSync(BROWSER))("the marks of links (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let page: Page;
  let lab: PageLab;
  const requests: string[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    lab = await twoPcs(stack.url);
    await lab.api("PUT", lab.link, { suspend: true, filters: { packet_loss: [10] } });
    await lab.api("PUT", `${lab.link}/impairments`, { preset: "lte" });
    await lab.api("POST", `${lab.link}/start_capture`, {});
    browser = await joinBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(60_000);
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(lab.address);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
  });

  const onMap = (words: string) =>
    page
      .getByRole("region", { name: "Topology" })
      .getByRole("img", { name: `${ENDS}: ${words}`, exact: true });
  const middle = async (words: string) => {
    const { x, width } = (await onMap(words).boundingBox())!;
    return x + width / 2;
  };
  const canvasBox = async () => (await page.getByRole("region", { name: "Topology" }).boundingBox())!;
  const inList = (words: string) => page.getByRole("button", { name: `${ENDS} ${words}`.trim() });

  test("are four shapes with a name, and one request reads the impairments of all links", async () => {
    await onMap("suspended, 10 % loss, lte, capture").waitFor();
    await inList(", suspended , 10 % loss , lte , capture").waitFor();
    const { x, width } = await canvasBox();
    expect(await middle("suspended, 10 % loss, lte, capture")).toBeCloseTo(x + width / 2, 0);
    const shapes = await page
      .locator(".link-mark .mark")
      .evaluateAll((icons) => icons.map((icon) => (icon as unknown as { innerHTML: string }).innerHTML));
    expect(new Set(shapes).size).toBe(4);
    const [, lists] = /^(.*\/links)\//.exec(lab.link)!;
    for (const what of ["impairments", "counters"]) {
      const asked = requests.filter((path) => path.endsWith(`/${what}`));
      expect(asked).toEqual([`/v2${lists}/${what}`]);
    }
    await page.screenshot({ path: join(PICTURES, "marks.png") });
    expect(await violationsOf(page)).toEqual([]);
  });

  test("follow the changes of other clients", async () => {
    await lab.api("PUT", lab.link, { suspend: false, filters: {} });
    await onMap("lte, capture").waitFor();
    await lab.api("POST", `${lab.link}/stop_capture`);
    await onMap("lte").waitFor();
    await inList(", lte").waitFor();
  });

  test("stay in the middle of the map when a view opens below it", async () => {
    const offset = async () => {
      const [mark, canvas] = [(await onMap("lte").boundingBox())!, await canvasBox()];
      return mark.y + mark.height / 2 - canvas.y - canvas.height / 2;
    };
    const { height } = await canvasBox();
    const before = await offset();
    await page.getByRole("button", { name: "Consoles", exact: true }).click();
    expect((await canvasBox()).height).toBeLessThan(height - 100);
    await expect.poll(offset).toBeCloseTo(before, 0);
    await page.getByRole("button", { name: "Consoles", exact: true }).click();
    await expect.poll(offset).toBeCloseTo(before, 0);
  });

  test("are also on a telephone, with the devices to add and the list", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await onMap("lte").waitFor();
    await inList(", lte").waitFor();
    await page.getByRole("navigation", { name: "Devices to add" }).getByText("Switch").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    const { x, width } = await canvasBox();
    await expect.poll(() => middle("lte")).toBeCloseTo(x + width / 2, 0);
  });

  test("follow a device that is dragged", async () => {
    const before = await middle("lte");
    const canvas = await canvasBox();
    // Both PCs are 150 from the middle of the map, which shows them 1.3 times as large.
    const at = { x: canvas.x + canvas.width / 2 + 150 * 1.3, y: canvas.y + canvas.height / 2 };
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 80, at.y, { steps: 4 });
    await expect.poll(() => middle("lte")).toBeCloseTo(before + 40, 0);
    await page.mouse.up();
  });

  test("follow the panel, and go when nothing is special any more", async () => {
    await inList(", lte").click();
    const form = page.getByRole("region", { name: "Impairments" });
    await form.getByLabel("Cable pulled").check();
    await onMap("cable pulled").waitFor();
    await form.getByRole("button", { name: "Clear impairments" }).click();
    await expect.poll(() => page.locator(".link-mark").count()).toBe(0);
    expect(await page.locator(".parts .mark").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("a running capture counts its packets in the panel and in the tip of the link", async () => {
    for (const node of lab.nodes) await lab.api("POST", `${node}/start`);
    await lab.api("POST", `${lab.link}/start_capture`, {});
    await page.getByText("Captured so far: 0 packets").waitFor();
    await lab.api("POST", `${lab.nodes[1]}/console`, { commands: ["ip 10.0.0.2/24"] });
    await lab.api("POST", `${lab.nodes[0]}/console`, { commands: ["ip 10.0.0.1/24", "ping 10.0.0.2 -c 2"] });
    const counted = /^Captured so far: [1-9]\d* packets, [\d,]+ bytes$/;
    await page.getByText(counted).waitFor();
    const { x, y, width, height } = (await onMap("capture").boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    const tip = page.getByRole("tooltip");
    await tip.getByText(ENDS).waitFor();
    await tip.getByText(counted).waitFor();
    await tip.getByText(/^PC1 → PC2: [1-9]\d* packets, none lost$/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, "link tip.png") });
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: "hidden" });
    await lab.api("POST", `${lab.link}/stop_capture`);
    await page.getByText(/^Last capture: [1-9]\d* packets/).waitFor();
  });
});
