/** The views below the page's map in a browser: consoles, and the packets of two captures of a lab with a switch. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { readCapture } from "@wirelab/engine/pcap/index";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { makePcap } from "../helpers/captures/pcap.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";

const BROWSER = "/usr/bin/chromium";
const MANY = 100_000;
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

describe.skipIf(!existsSync(BROWSER))("the views of the page (skipped without chromium)", () => {
  let stack: LocalStack;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const requested: string[] = [];
  /** Paths in the interface. */
  let lab = "";
  const links: string[] = [];
  let nodes: string[] = [];

  async function api(method: string, path: string, body?: unknown) {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${stack.url}/v2${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  const type = (node: string, command: string) => api("POST", `${node}/console`, { commands: [command] });

  beforeAll(async () => {
    stack = await startInMemory();
    const { project_id } = await api("POST", "/projects", { name: "packets" });
    lab = `/projects/${project_id}`;
    const ids: string[] = [];
    for (const [name, node_type, x] of [
      ["PC1", "vpcs", -200],
      ["SW1", "ethernet_switch", 0],
      ["PC2", "vpcs", 200],
    ]) {
      const node = await api("POST", `${lab}/nodes`, { name, node_type, compute_id: "local", x, y: 0 });
      ids.push(node.node_id);
    }
    nodes = ids.map((id) => `${lab}/nodes/${id}`);
    for (const [port, pc] of [ids[0], ids[2]].entries()) {
      const sides = [
        { node_id: pc, adapter_number: 0, port_number: 0 },
        { node_id: ids[1], adapter_number: 0, port_number: port },
      ];
      const { link_id } = await api("POST", `${lab}/links`, { nodes: sides });
      links.push(`${lab}/links/${link_id}`);
    }
    await api("POST", `${lab}/nodes/start`);
    for (const link of links) await api("POST", `${link}/start_capture`, {});
    await type(nodes[0]!, "ip 10.0.0.1/24");
    await type(nodes[2]!, "ip 10.0.0.2/24");
    await type(nodes[0]!, "ping 10.0.0.2 -c 3");
    // The switch and PC1 know PC2: only the echo requests are sent, and only on the first link.
    await api("PUT", links[1]!, { suspend: true });
    await type(nodes[0]!, "ping 10.0.0.2 -c 1");
    await api("PUT", links[1]!, { suspend: false });

    browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
    page = await browser.newPage({ viewport: { width: 1400, height: 900 }, acceptDownloads: true });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("request", (request) => requested.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const rows = () => page.locator(".packet-rows [role=option]");
  const box = () => page.getByRole("combobox", { name: /Filter packets/ });
  const count = () => page.locator(".packets-count");
  const openLab = async () => {
    await page.goto("about:blank");
    await page.goto(`${stack.url}/v2/page#/labs/${lab.split("/").at(-1)}`);
  };
  const open = async () => {
    await openLab();
    await page.getByRole("button", { name: "Packets", exact: true }).click();
    await rows().first().waitFor();
  };
  const select = async (filter: string, index: number) => {
    await box().fill(filter);
    await page.locator(".packet-rows[aria-busy=false]").waitFor();
    await poll(() => count().textContent()).toMatch(/ of /);
    await rows().nth(index).click();
    await page.locator(".packet-details").waitFor();
  };

  test("lists the packets of both captures in order of time", async () => {
    await open();
    await poll(() => count().textContent()).toMatch(/^\d+ packets$/);
    const column = (number: number) =>
      page.locator(`.packet-rows [role=option] > :nth-child(${number})`).allTextContents();
    // The packets of one capture are shown before the other one is read.
    await poll(async () => [...new Set(await column(3))].toSorted()).toEqual(["PC1 – SW1", "PC2 – SW1"]);
    const times = await column(2);
    expect(times.length).toBeGreaterThan(10);
    expect(times.map(Number)).toEqual(times.map(Number).toSorted((a, b) => a - b));
  });

  test("completes an expression, filters, and shows where one is wrong", async () => {
    await box().fill("ic");
    await page
      .getByRole("option", { name: /^icmp\b/ })
      .first()
      .click();
    expect(await box().inputValue()).toBe("icmp ");
    await poll(() => count().textContent()).toMatch(/^13 of \d+ packets$/);
    const protocols = () => page.locator(".packet-rows [role=option] > :nth-child(6)").allTextContents();
    await poll(async () => [...new Set(await protocols())]).toEqual(["ICMP"]);

    await box().fill("icmp hots");
    const problem = page.locator(".filter-problem");
    await problem.waitFor();
    expect(await problem.textContent()).toContain("column 6");
    expect((await problem.locator("pre").textContent())!.split("\n")[1]).toBe("     ^");
  });

  test("links fields and bytes both ways", async () => {
    await select("icmp", 0);
    await page.locator(".field", { hasText: "Time to live" }).hover();
    const marked = page.locator(".packet-bytes .byte-hex .marked");
    expect(await marked.allTextContents()).toEqual(["40"]);
    expect(await marked.getAttribute("data-at")).toBe("22");
    await page.locator(".byte-hex [data-at='23']").hover();
    expect(await page.locator(".field.marked").textContent()).toBe("Protocol 1 (ICMP)");
  });

  test("draws a packet's way through the lab", async () => {
    await select("icmp", 0);
    const steps = page.locator(".way li");
    expect(await steps.locator("strong").allTextContents()).toEqual([
      "PC1",
      "PC1 – SW1",
      "SW1",
      "PC2 – SW1",
      "PC2",
    ]);
    expect(await steps.last().textContent()).toContain("takes it");
  });

  test("shows where a packet was lost, while the link is as it was then", async () => {
    await api("PUT", links[1]!, { suspend: true });
    await open();
    await select("icmp", 12);
    await poll(() => page.locator(".way-lost").textContent()).toMatch(
      /SW1.*last that is known to have it: PC2 – SW1 is suspended/,
    );
    await api("PUT", links[1]!, { suspend: false });
  });

  test("saves the captures as one file", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Open in Wireshark" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("captures.pcapng");
    const { frames } = readCapture(await readFile((await download.path())!));
    expect(`13 of ${frames.length} packets`).toBe(await count().textContent());
  });

  test("follows a capture while it grows", async () => {
    await box().fill("");
    await page.getByLabel("Follow").check();
    await poll(() => count().textContent()).toMatch(/^\d+ packets, following$/);
    const before = Number.parseInt((await count().textContent())!, 10);
    await type(nodes[0]!, "ping 10.0.0.2 -c 1");
    await poll(async () => Number.parseInt((await count().textContent())!, 10)).toBeGreaterThanOrEqual(
      before + 4,
    );
    await page.getByLabel("Follow").uncheck();
  });

  test("scrolls through 100,000 packets with few elements, by keyboard too", async () => {
    const body = makePcap(MANY);
    await page.route("**/pcapng?captures=*", (route) => route.fulfill({ body }));
    await page.getByRole("button", { name: "Read again" }).click();
    await poll(() => count().textContent()).toBe(`${2 * MANY} packets`);
    await page.getByRole("listbox", { name: "Packets" }).focus();
    await page.keyboard.press("End");
    const last = page.locator(`#packet-${2 * MANY - 1}`);
    await poll(() => last.locator("span").first().textContent()).toBe(String(2 * MANY));
    expect(await last.getAttribute("aria-selected")).toBe("true");
    expect(await rows().count()).toBeLessThan(100);
    await page.keyboard.press("PageUp");
    expect(await last.getAttribute("aria-selected")).toBe("false");
    await page.unroute("**/pcapng?captures=*");
  });

  const device = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}\\b.*started`) });
  const shownConsoles = () => page.locator(".console-place:not([hidden])");
  const consoleOf = (name: string) => page.getByRole("region", { name: `Console of ${name}` });
  const screen = (name: string) => consoleOf(name).locator(".xterm-rows");
  const typeAt = async (name: string, line: string) => {
    await consoleOf(name).locator(".xterm").click();
    await page.keyboard.type(`${line}\n`);
  };

  test("opens a console, whose code is loaded then", async () => {
    await openLab();
    await device("PC1").waitFor();
    requested.length = 0;
    await device("PC1").dblclick();
    await poll(() => screen("PC1").textContent()).toContain("PC1>");
    expect(requested.some((url) => /\/consoles-[^/]+\.js$/.test(url))).toBe(true);
    await page.keyboard.type("show ip\n");
    await poll(() => screen("PC1").textContent()).toMatch(/IP\/MASK\s*: 10\.0\.0\.1\/24/);
  });

  test("shows consoles side by side, each with its own keys", async () => {
    await device("PC2").dblclick();
    await poll(() => screen("PC2").textContent()).toContain("PC2>");
    expect(await shownConsoles().count()).toBe(1);
    await page.getByRole("button", { name: "Show the console of PC1 beside the others" }).click();
    expect(await shownConsoles().count()).toBe(2);
    await poll(() => screen("PC1").textContent()).toContain("10.0.0.1/24");
    await typeAt("PC2", "ping 10.0.0.1 -c 1");
    await poll(() => screen("PC2").textContent()).toContain("84 bytes from 10.0.0.1 icmp_seq=1");
    await typeAt("PC1", "show arp");
    await poll(() => screen("PC1").textContent()).toContain("10.0.0.2");
    await page.getByRole("button", { name: "Hide the console of PC2" }).click();
    expect(await shownConsoles().count()).toBe(1);
    await poll(() => screen("PC1").textContent()).toContain("PC1>");
  });

  test("causes no error in the browser's console", () => {
    expect(problems).toEqual([]);
  });
});
