/** The map of a lab in a browser: what it shows, and what the mouse and the keys do in it. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { boundsOf, FIT, fitBounds } from "../../page/src/viewport/bounds.ts";
import { largeLab } from "../bench/page/large-lab.ts";
import { BROWSER } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";

interface Drawing {
  readonly svg: string;
  readonly x: number;
  readonly y: number;
  readonly locked: boolean;
}

const PICTURES = join(tmpdir(), "wirelab-page");

describe.skipIf(!existsSync(BROWSER))("the map (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  /** Paths in the interface. */
  let large = "";
  let sketch = "";

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
    const { archive } = largeLab(2);
    const imported = await api("POST", `/projects/${crypto.randomUUID()}/import?name=large`, archive);
    large = `/projects/${imported.project_id}`;
    sketch = `/projects/${(await api("POST", "/projects", { name: "sketch" })).project_id}`;
    await api("POST", `${sketch}/nodes`, {
      name: "PC1",
      node_type: "vpcs",
      compute_id: "local",
      x: -200,
      y: 120,
    });
    browser = await joinBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** The part of the minimap that the map shows, once it does not move any more. */
  const shown = async () => {
    const box = () => page.locator(".minimap-window").boundingBox();
    let before = await box();
    await expect
      .poll(
        async () => {
          const last = before;
          before = await box();
          return JSON.stringify(before) === JSON.stringify(last);
        },
        // Longer than an animation that a busy machine holds up.
        { interval: 250, timeout: 60_000 },
      )
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

  test("devices that move together send few requests at once, the last place wins, and undo brings them back", async () => {
    const places = async () => {
      const nodes: { node_id: string; x: number; y: number }[] = await api("GET", `${large}/nodes`);
      return new Map(nodes.map(({ node_id, x, y }) => [node_id, { x, y }]));
    };
    const before = await places();
    const movedBy = (dx: number) => new Map([...before].map(([id, { x, y }]) => [id, { x: x + dx, y }]));
    let open = 0;
    let most = 0;
    await page.route("**/nodes/*", async (route) => {
      open += 1;
      most = Math.max(most, open);
      const response = await route.fetch();
      open -= 1;
      await route.fulfill({ response });
    });
    await page.locator(".canvas").hover();
    await page.keyboard.press("Control+a");
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
    await expect.poll(places, { timeout: 20_000 }).toEqual(movedBy(30));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(6);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("Control+z");
    await expect.poll(places, { timeout: 20_000 }).toEqual(before);
    await page.unroute("**/nodes/*");
  });

  test("devices that cannot be moved go back, and one notice reports them", async () => {
    const nodes: { node_id: string; x: number }[] = await api("GET", `${large}/nodes`);
    const refused = nodes.slice(0, 3).map(({ node_id }) => node_id);
    const isRefused = (url: URL) => refused.some((id) => url.pathname.endsWith(id));
    await page.route(isRefused, (route) =>
      route.fulfill({ status: 409, json: { status: 409, code: "x", message: "Not now." } }),
    );
    await page.keyboard.press("ArrowRight");
    const notice = page.locator(".notice");
    await expect
      .poll(() => notice.locator("span").allTextContents(), { timeout: 30_000 })
      .toEqual(["3 of 40 were not changed: Not now."]);
    await page.unroute(isRefused);
    const after: { node_id: string; x: number }[] = await api("GET", `${large}/nodes`);
    const moved = after.filter(({ node_id, x }) => x !== nodes.find((each) => each.node_id === node_id)!.x);
    expect(moved).toHaveLength(37);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(async () => (await api("GET", `${large}/nodes`)).map(({ x }: { x: number }) => x), {
        timeout: 20_000,
      })
      .toEqual(nodes.map(({ x }) => x));
    await page.keyboard.press("Escape");
    // The browser reports each 409 on the console.
    expect(faults.splice(0).every((text) => text.includes("409"))).toBe(true);
  });

  test("the minimap stays hidden when the user hides it", async () => {
    await page.getByRole("button", { name: "Hide the minimap" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Minimap", exact: true }).click();
    await page.getByRole("img", { name: /^Minimap/ }).waitFor();
  });

  describe("drawings", () => {
    const readDrawings = (): Promise<Drawing[]> => api("GET", `${sketch}/drawings`);
    const only = async () => (await readDrawings()).at(-1)!;
    const images = () => page.locator(".drawings img");
    const drag = async (index: number, dx: number, dy: number) => {
      const box = (await images().nth(index).boundingBox())!;
      // A device is above the middle.
      const [x, y] = [box.x + box.width / 8, box.y + box.height / 3];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + dx, y + dy, { steps: 4 });
      await page.mouse.up();
    };

    test("of another user appear at once, as images in which scripts do not run", async () => {
      await open(sketch);
      const svg =
        '<svg width="120" height="80" onload="globalThis.ran = true"><rect width="120" height="80" fill="#ffe9b0" onclick="globalThis.ran = true" /></svg>';
      const drawing = await api("POST", `${sketch}/drawings`, { svg, x: 120, y: -60, z: 0 });
      await images().first().waitFor();
      expect(await images().first().evaluate("(image) => image.decode()")).toBeUndefined();
      expect(await page.locator(".canvas svg").count()).toBe(0);
      expect(await page.evaluate("globalThis.ran")).toBeUndefined();
      await api("DELETE", `${sketch}/drawings/${drawing.drawing_id}`);
      await expect.poll(() => images().count()).toBe(0);
    });

    test("are added, moved by the mouse and the keys, and undone", async () => {
      await page.getByRole("button", { name: "Rectangle", exact: true }).click();
      await expect.poll(() => images().count()).toBe(1);
      const { x, y } = await only();
      const map = await page.locator(".drawings").evaluate("(layer) => layer.style.transform");
      await drag(0, 90, 60);
      await expect.poll(async () => (await only()).x).toBeGreaterThan(x);
      expect((await only()).y).toBeGreaterThan(y);
      expect(await page.locator(".drawings").evaluate("(layer) => layer.style.transform")).toBe(map);
      const moved = await only();
      await page.keyboard.press("ArrowRight");
      await expect.poll(async () => (await only()).x).toBe(moved.x + 10);
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await expect.poll(only).toMatchObject({ x, y });
      await page.keyboard.press("Control+y");
      await expect.poll(only).toMatchObject({ x: moved.x, y: moved.y });
    });

    test("change their size, colour, layer and rotation", async () => {
      const panel = page.getByRole("region", { name: "Rectangle" });
      const change = async (label: string, value: string) => {
        await panel.getByLabel(label).fill(value);
        await panel.getByLabel(label).press("Tab");
      };
      await change("Width", "260");
      await expect.poll(async () => (await only()).svg).toContain('<rect fill="#ffffff"');
      await expect.poll(async () => (await only()).svg).toMatch(/^<svg [^>]*width="260"/);
      await change("Fill", "#cfe8d6");
      await expect.poll(async () => (await only()).svg).toContain('fill="#cfe8d6"');
      await change("Rotation", "10");
      await change("Layer", "-1");
      await expect.poll(only).toMatchObject({ rotation: 10, z: -1 });
      expect((await only()).svg).toContain('width="260"');
    });

    test("that are texts have lines, and show markup as it was typed", async () => {
      await page.getByRole("button", { name: "Text", exact: true }).click();
      const text = page.getByRole("region", { name: "Text" }).getByRole("textbox", { name: "Text" });
      await text.fill("Branch <b>office</b>\nsecond line");
      await text.press("Tab");
      // What is typed next would be lost when the stored text comes back.
      const stored = async () => (await readDrawings()).map(({ svg }) => svg).join();
      await expect.poll(stored, { timeout: 30_000 }).toContain("second line<");
      await page.getByRole("button", { name: "Branch <b>office</b>" }).waitFor();
      await page.getByLabel("Font size").fill("18");
      await page.getByLabel("Font size").press("Tab");
      await expect
        .poll(stored, { timeout: 30_000 })
        .toMatch(/font-size="18"[^>]*>Branch &lt;b&gt;office&lt;\/b&gt;\nsecond line</);
      await page.getByRole("button", { name: "Branch <b>office</b>" }).waitFor();
      await page.getByRole("button", { name: "Ellipse", exact: true }).click();
      await page.getByRole("button", { name: "Line", exact: true }).click();
      await expect.poll(() => images().count()).toBe(4);
      await picture("drawings");
    });

    test("that are locked stay where they are, and are unlocked in the list", async () => {
      const line = async () => (await readDrawings()).find(({ svg }) => svg.includes("<line"))!;
      await page.getByRole("button", { name: "Locked", exact: true }).click();
      await expect.poll(async () => (await line()).locked).toBe(true);
      const { x, y } = await line();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Line locked" }).click();
      await page.getByRole("button", { name: "Locked", exact: true }).click();
      await expect.poll(line).toMatchObject({ locked: false, x, y });
      await page.getByRole("region", { name: "Line" }).getByRole("button", { name: "Delete" }).click();
      await expect.poll(() => images().count()).toBe(3);
      await page.keyboard.press("Control+z");
      await expect.poll(() => images().count()).toBe(4);
    });
  });

  test("a cable that is drawn asks for its ports, and takes none when the user cancels", async () => {
    const { project_id } = await api("POST", "/projects", { name: "cables" });
    const lab = `/projects/${project_id}`;
    const nodes: { x: number; y: number; width: number; height: number }[] = [];
    for (const [name, x] of [
      ["SW1", -150],
      ["SW2", 150],
    ])
      nodes.push(
        await api("POST", `${lab}/nodes`, {
          name,
          node_type: "ethernet_switch",
          compute_id: "local",
          x,
          y: 0,
        }),
      );
    await open(lab);
    const canvas = (await page.getByRole("region", { name: "Topology" }).boundingBox())!;
    const { zoom, pan } = fitBounds(boundsOf(nodes), canvas, FIT);
    const draw = async () => {
      const [from, to] = nodes.map(({ x, y, width, height }) => ({
        x: canvas.x + pan.x + zoom * (x + width / 2),
        y: canvas.y + pan.y + zoom * (y + height / 2),
      }));
      await page.mouse.move(from!.x, from!.y);
      await page.mouse.down();
      await page.mouse.move(to!.x, to!.y, { steps: 4 });
      await page.mouse.up();
    };
    await page.getByRole("button", { name: "Cable" }).click();
    await draw();
    const dialog = page.getByRole("dialog", { name: "Ports of the cable between SW1 and SW2" });
    await dialog.waitFor();
    await picture("ports");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await api("GET", `${lab}/links`)).toEqual([]);
    await draw();
    await dialog.getByLabel("SW2").selectOption({ index: 3 });
    await dialog.getByRole("button", { name: "Connect" }).click();
    await page.getByText("SW1 e0 – SW2 e3").waitFor();
  });

  test("nothing is reported on the browser's console but the scripts of drawings, which it has not run", () => {
    const others = faults.filter((text) => !text.startsWith("Executing inline event handler violates"));
    expect(others).toEqual([]);
  });
});
