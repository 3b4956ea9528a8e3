/** The panel of a link in a browser: its impairments, and what the service says against them. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";
import { type PageLab, twoPcs } from "../helpers/page/two-pcs.ts";

/** An event arrives within a second on a machine that has nothing else to do. */
const IN_TIME = { timeout: 60_000 };
const PICTURES = join(tmpdir(), "wirelab-page");

describe.skipIf(!existsSync(BROWSER))("the panel of a link (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let page: Page;
  let lab: PageLab;
  const faults: string[] = [];

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    lab = await twoPcs(stack.url);
    browser = await joinBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(lab.address);
    await page.getByRole("button", { name: /PC1 e0 – PC2 e0/ }).click();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
  });

  beforeEach(() => lab.api("DELETE", `${lab.link}/impairments`));

  const stored = () => lab.api("GET", `${lab.link}/impairments`);
  const settles = (wanted: object) => expect.poll(stored, IN_TIME).toEqual(wanted);
  const form = () => page.getByRole("region", { name: "Impairments" });
  const field = (name: string) => form().getByLabel(name, { exact: true });
  const set = async (name: string, value: string) => {
    await field(name).fill(value);
    await page.keyboard.press("Enter");
  };
  const clear = async () => {
    await form().getByRole("button", { name: "Clear impairments" }).click();
    await settles({});
  };

  test("sets a preset, and shows what it sets in each direction", async () => {
    await field("Preset").focus();
    await field("Preset").selectOption("lte");
    await settles({ preset: "lte" });
    await form().getByText("12 Mb/s both ways, 70 ms round trip").waitFor();
    expect(await field("Delay").getAttribute("placeholder")).toBe("inherits 35ms");
    await field("Direction").selectOption({ label: "PC1 to PC2" });
    expect(await field("Rate").getAttribute("placeholder")).toBe("inherits 12mbit");
    await set("Rate", "1mbit");
    await settles({ preset: "lte", a_to_b: { rate: { rate: "1mbit" } } });
    await page.screenshot({ path: join(PICTURES, "link panel with a preset.png") });
    await field("Direction").selectOption("both");
    await clear();
  });

  test("shows a refusal at its field, keeps what was typed, and sends it mended", async () => {
    await set("Loss", "120");
    await form().getByText("must be a percentage in steps of 0.0000001%, from 0% to 100%").waitFor();
    expect(await field("Loss").inputValue()).toBe("120");
    expect(await field("Loss").getAttribute("aria-invalid")).toBe("true");
    expect(await stored()).toEqual({});
    await page.screenshot({ path: join(PICTURES, "link panel with a refusal.png") });
    expect(await violationsOf(page)).toEqual([]);
    await set("Delay", "20ms");
    expect(await stored()).toEqual({});
    await set("Loss", "12%");
    await settles({ both: { loss: { random: { chance: "12%" } }, delay: { delay: "20ms" } } });
    await expect.poll(() => field("Loss").getAttribute("aria-invalid"), IN_TIME).toBe("false");
    await clear();
    // The browser reports each 400 on the console.
    expect(faults.splice(0).every((text) => text.includes("400"))).toBe(true);
  });

  test("keeps what another client sets meanwhile", async () => {
    const schedule = [{ at: "30s", flap: { down: "2s" } }];
    await lab.api("PUT", `${lab.link}/impairments`, { both: { slots: "2ms" }, schedule });
    await set("MTU", "1400");
    await settles({ both: { slots: "2ms", mtu: { bytes: 1400 } }, schedule });
    await form().getByText("each change here begins it anew").waitFor();
    await clear();
  });

  test("edits the whole set as JSON", async () => {
    await form().getByText("As JSON", { exact: true }).click();
    const json = field("Impairments as JSON");
    await json.fill("{");
    await form().getByRole("button", { name: "Apply" }).click();
    await form().getByText("This is not JSON").waitFor();
    await json.fill('{"both": {"speed": 1}}');
    await form().getByRole("button", { name: "Apply" }).click();
    await form().getByRole("alert").getByText("both.speed is no impairment").waitFor();
    const queue = { discipline: "fq_codel", ecn: true };
    await json.fill(JSON.stringify({ both: { rate: "10mbit", queue } }));
    await form().getByRole("button", { name: "Apply" }).click();
    await settles({ both: { rate: "10mbit", queue } });
    expect(await field("Rate").inputValue()).toBe("10mbit");
    expect(await violationsOf(page)).toEqual([]);
    await clear();
    expect(faults.splice(0).every((text) => text.includes("400"))).toBe(true);
  });

  test("pulls the cable by the keyboard", async () => {
    await form().getByLabel("Cable pulled").focus();
    await page.keyboard.press("Space");
    await settles({ carrier: "down" });
    await page.keyboard.press("Space");
    await settles({});
  });

  test("shows changes that are being stored while those of another client arrive, and stores them in order", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isChange = (method: string) => method === "PUT" || method === "DELETE";
    let changes = 0;
    await page.route("**/impairments", async (route) => {
      if (isChange(route.request().method())) {
        changes += 1;
        await held;
      }
      await route.continue();
    });
    const cable = form().getByLabel("Cable pulled");
    await cable.check();
    await expect.poll(() => changes, IN_TIME).toBe(1);
    await lab.api("PUT", `${lab.link}/impairments`, { both: { delay: "5ms" } });
    await expect.poll(() => field("Delay").inputValue(), IN_TIME).toBe("5ms");
    expect(await cable.isChecked()).toBe(true);
    await cable.uncheck();
    await set("Loss", "1%");
    release();
    await settles({ both: { loss: { random: { chance: "1%" } } } });
    expect(await cable.isChecked()).toBe(false);
    await page.unroute("**/impairments");
    await clear();
  });

  test("is not turned back by the event of an earlier change", async () => {
    const other = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
    other.setDefaultTimeout(60_000);
    let isHeld = false;
    const held: (() => void)[] = [];
    await other.routeWebSocket(/notifications/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (isHeld) held.push(() => socket.send(message));
        else socket.send(message);
      });
    });
    await other.goto(lab.address);
    await other.getByRole("button", { name: /PC1 e0 – PC2 e0/ }).click();
    const cable = other.getByRole("region", { name: "Impairments" }).getByLabel("Cable pulled");
    await cable.waitFor();
    isHeld = true;
    await cable.check();
    await settles({ carrier: "down" });
    await cable.uncheck();
    await settles({});
    await expect.poll(() => held.length, IN_TIME).toBeGreaterThan(1);
    while (held.length > 0) {
      held.shift()?.();
      await other.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
      expect(await cable.isChecked()).toBe(false);
    }
    isHeld = false;
    await lab.api("PUT", `${lab.link}/impairments`, { carrier: "down" });
    await expect.poll(() => cable.isChecked(), IN_TIME).toBe(true);
    await lab.api("DELETE", `${lab.link}/impairments`);
    await expect.poll(() => cable.isChecked(), IN_TIME).toBe(false);
    await other.close();
  });

  describe("the filters", () => {
    const slider = (name: string) => page.getByRole("slider", { name, exact: true });
    const number = (name: string) => page.getByRole("spinbutton", { name, exact: true });
    const filters = async () => ((await lab.api("GET", lab.link)) as { filters: object }).filters;
    const filtersSettle = (wanted: object) => expect.poll(filters, IN_TIME).toEqual(wanted);

    afterAll(() => lab.api("PUT", lab.link, { filters: {} }));

    beforeEach(async () => {
      await lab.api("PUT", lab.link, { filters: {} });
      for (const name of ["Loss", "Delay", "Corruption"])
        await expect.poll(() => slider(name).inputValue(), IN_TIME).toBe("0");
    });

    test("get each step of keys that are pressed fast", async () => {
      await slider("Loss").focus();
      for (let press = 0; press < 30; press++) await page.keyboard.press("ArrowRight");
      expect(await slider("Loss").inputValue()).toBe("30");
      await filtersSettle({ packet_loss: [30] });
      expect(await slider("Loss").inputValue()).toBe("30");
    });

    test("keep one that was changed just before another", async () => {
      await slider("Loss").focus();
      await page.keyboard.press("PageUp");
      await slider("Corruption").focus();
      await page.keyboard.press("PageUp");
      await filtersSettle({ packet_loss: [10], corrupt: [10] });
    });

    test("follow a drag, also while events of the link arrive, and store what it ends at", async () => {
      const { x, y, width, height } = (await slider("Delay").boundingBox())!;
      await page.mouse.move(x + 8, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
      const held = await slider("Delay").inputValue();
      expect(Number(held)).toBeGreaterThan(400);
      expect(await number("Delay in ms").inputValue()).toBe(held);
      await lab.api("PUT", lab.link, { filters: { corrupt: [3] } });
      await expect.poll(() => slider("Corruption").inputValue(), IN_TIME).toBe("3");
      expect(await slider("Delay").inputValue()).toBe(held);
      await page.mouse.up();
      await filtersSettle({ corrupt: [3], delay: [Number(held), 0] });
    });

    test("take a number that is typed, and one change of a slider is one undo", async () => {
      await number("Delay in ms").fill("40");
      await page.keyboard.press("Enter");
      await filtersSettle({ delay: [40, 0] });
      expect(await slider("Delay").inputValue()).toBe("40");
      await page.getByRole("button", { name: "Undo" }).click();
      await filtersSettle({});
      await page.getByRole("button", { name: "Redo" }).click();
      await filtersSettle({ delay: [40, 0] });
    });

    test("keep an expression that the service refuses, with the reason", async () => {
      const expression = page.getByLabel("Drop packets that match");
      await expression.fill("host and");
      await page.keyboard.press("Enter");
      await expect.poll(() => expression.getAttribute("aria-invalid"), IN_TIME).toBe("true");
      expect(await expression.inputValue()).toBe("host and");
      expect(await violationsOf(page)).toEqual([]);
      await page.screenshot({ path: join(PICTURES, "link panel with a refused filter.png") });
      await expression.fill("icmp");
      await page.keyboard.press("Enter");
      await filtersSettle({ bpf: ["icmp"] });
      expect(await expression.getAttribute("aria-invalid")).toBe("false");
      expect(faults.splice(0).every((text) => text.includes("400"))).toBe(true);
    });
  });

  test("shows what another page sets, and what is typed meanwhile stays", async () => {
    const other = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
    other.setDefaultTimeout(60_000);
    await other.goto(lab.address);
    await other.getByRole("button", { name: /PC1 e0 – PC2 e0/ }).click();
    const theirs = other.getByRole("region", { name: "Impairments" });
    await theirs.getByLabel("Delay", { exact: true }).waitFor();
    await field("Loss").fill("3%");
    await theirs.getByLabel("Delay", { exact: true }).fill("20ms");
    await other.keyboard.press("Enter");
    await expect.poll(() => field("Delay").inputValue(), IN_TIME).toBe("20ms");
    expect(await field("Loss").inputValue()).toBe("3%");
    await page.keyboard.press("Enter");
    await expect.poll(() => theirs.getByLabel("Loss", { exact: true }).inputValue(), IN_TIME).toBe("3%");
    await clear();
    await expect.poll(() => theirs.getByLabel("Delay", { exact: true }).inputValue(), IN_TIME).toBe("");
    await other.close();
  });

  test("shows what each direction has carried, while runs happen", async () => {
    const cell = (row: string, column: number) =>
      page.getByRole("row", { name: row }).getByRole("cell").nth(column).textContent();
    await page.getByText("No packets yet").waitFor();
    for (const node of lab.nodes) await lab.api("POST", `${node}/start`);
    const type = (node: number, ...commands: string[]) =>
      lab.api("POST", `${lab.nodes[node]}/console`, { commands });
    await type(1, "ip 10.0.0.2/24");
    await type(0, "ip 10.0.0.1/24", "ping 10.0.0.2 -c 3");
    const table = page.getByRole("table", { name: "Packets since the link was made" });
    await table.getByRole("columnheader", { name: "PC1 → PC2" }).waitFor();
    const [counted] = (await lab.api("GET", lab.link.replace(/[^/]+$/, "counters"))) as [
      Record<"a_to_b" | "b_to_a", Record<"in" | "delivered", Record<"packets" | "bytes", number>>>,
    ];
    const { packets, bytes } = counted.b_to_a.delivered;
    await expect.poll(() => cell("Sent", 0), IN_TIME).toContain(`${counted.a_to_b.in.packets} packets`);
    expect(await cell("Delivered", 1)).toBe(`${packets} packets, ${bytes} bytes`);
    expect(await cell("Lost", 0)).toContain("0 %");
    await table.scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Use dark colours" }).click();
    await page.screenshot({ path: join(PICTURES, "link panel with traffic.png") });
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Use light colours" }).click();

    await set("Loss", "100%");
    await settles({ both: { loss: { random: { chance: "100%" } } } });
    await type(0, "ping 10.0.0.2 -c 2");
    await page.getByRole("img", { name: /lost 2 of 2$/ }).waitFor();
    await page.getByRole("button", { name: /PC1 e0 – PC2 e0 .*lost 2 of 2/ }).waitFor();
    expect(await cell("Lost", 0)).toContain("2 packets");
    expect(await violationsOf(page)).toEqual([]);
    await table.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(PICTURES, "link panel of a link that loses.png") });
    await clear();
    await type(0, "ping 10.0.0.2 -c 2");
    await expect.poll(() => page.getByRole("img", { name: /lost/ }).count(), IN_TIME).toBe(0);
    expect(await cell("Lost", 0)).toContain("2 packets");
  });

  test("causes no other error on the browser's console", () => {
    expect(faults).toEqual([]);
  });
});
