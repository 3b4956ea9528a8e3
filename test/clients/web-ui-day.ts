/** A day's work in the GNS3 Web UI, as a person does it: by clicks and keys in a browser. Each step checks what the service then has. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The state that the steps share. */
export interface Day {
  readonly page: Page;
  /** The address of both the pages and the service. */
  readonly url: string;
  /** Calls the service. @returns its JSON. */
  readonly api: (path: string) => Promise<unknown>;
  readonly name: string;
  /** Returns the text that all consoles have received: the terminal draws it on a canvas. */
  readonly consoleText: () => string;
  projectId: string;
}

interface NodeView {
  readonly node_id: string;
  readonly name: string;
  readonly status: string;
  readonly x: number;
}
interface LinkView {
  readonly link_id: string;
  readonly filters: unknown;
  readonly capturing: boolean;
}

const nodes = (day: Day) => day.api(`/projects/${day.projectId}/nodes`) as Promise<NodeView[]>;
const links = (day: Day) => day.api(`/projects/${day.projectId}/links`) as Promise<LinkView[]>;
const poll = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 15_000 });
/** The time between two keys of a fast typist. */
const TYPING_MS = 60;
const dialog = (day: Day) => day.page.locator("mat-dialog-container");
const icon = (day: Day, name: string) => day.page.locator(`button:has(mat-icon:text-is("${name}"))`).first();
/** The interface animates menus and dialogs; a click during an animation is lost. */
const settle = (day: Day) => day.page.waitForTimeout(500);

async function choose(day: Day, select: number, option: string): Promise<void> {
  await dialog(day).locator("mat-select").nth(select).click();
  await day.page.getByRole("option", { name: option, exact: true }).click();
  await settle(day);
}

async function addNode(day: Day, template: string, left: number, top: number): Promise<void> {
  await day.page.locator("button.add-menu-button").click();
  await day.page.getByText("Insert New Node...").click();
  await settle(day);
  await choose(day, 1, template);
  if (template === "VPCS") await choose(day, 2, "local");
  await day.page.locator("input[formcontrolname=left]").fill(String(left));
  await day.page.locator("input[formcontrolname=top]").fill(String(top));
  await dialog(day).locator("button.addButton").click();
  await settle(day);
}

async function openProjectMenu(day: Day, entry: string): Promise<void> {
  await day.page.locator("#project-titlebar button").first().click();
  await day.page.getByRole("menuitem", { name: "Project settings" }).hover();
  await settle(day);
  await day.page.getByRole("menuitem", { name: entry }).first().click();
  await settle(day);
}

async function openLinkMenu(day: Day, entry: string): Promise<void> {
  await day.page.locator("g.link path").first().click({ button: "right", force: true });
  await settle(day);
  await day.page.getByRole("menuitem", { name: entry }).first().click();
  await settle(day);
}

async function openNodeMenu(day: Day, node: number, entry: string): Promise<void> {
  await day.page.locator("g.node image").nth(node).click({ button: "right" });
  await settle(day);
  await day.page.getByRole("menuitem", { name: entry }).first().click();
  await settle(day);
}

export const STEPS: Readonly<Record<string, (day: Day) => Promise<void>>> = {
  "finds the server": async ({ page, url }) => {
    await page.goto(`${url}/static/web-ui/bundled`);
    await page.waitForURL(/\/projects$/);
    await page.getByRole("button", { name: "Add blank project" }).waitFor();
    await page.waitForTimeout(1500);
  },

  "creates a project and opens its map": async (day) => {
    const { page, name } = day;
    await page.getByRole("button", { name: "Add blank project" }).click();
    await dialog(day).locator("input").first().fill(name);
    await page.getByRole("button", { name: "Add project" }).click();
    await page.waitForURL(/\/project\//);
    await page.locator("svg#map, svg.map").first().waitFor();
    day.projectId = /project\/([0-9a-f-]{36})/.exec(page.url())![1]!;
  },

  "adds nodes from templates": async (day) => {
    await addNode(day, "VPCS", -300, 100);
    await addNode(day, "VPCS", 200, 100);
    await addNode(day, "Ethernet switch", -50, 250);
    await poll(async () => (await nodes(day)).map(({ name }) => name)).toEqual(["PC1", "PC2", "Switch1"]);
    await poll(() => day.page.locator("g.node").count()).toBe(3);
  },

  "draws links": async (day) => {
    const { page } = day;
    await icon(day, "timeline").click();
    for (const [from, to, port] of [
      [0, 2, "Ethernet0"],
      [1, 2, "Ethernet1"],
    ] as const) {
      await page.locator("g.node").nth(from).click();
      await page.getByRole("menuitem", { name: "Ethernet0" }).click();
      await settle(day);
      await page.locator("g.node").nth(to).click();
      await page.getByRole("menuitem", { name: port }).click();
      await settle(day);
    }
    await icon(day, "timeline").click();
    await poll(async () => (await links(day)).length).toBe(2);
    await poll(() => page.locator("g.link").count()).toBe(2);
  },

  "sets filters, and clears them": async (day) => {
    const { page } = day;
    await openLinkMenu(day, "Packet filters");
    await page.getByRole("tab", { name: "Delay" }).click();
    await settle(day);
    await dialog(day).locator("input:visible").first().fill("25");
    await page.getByRole("button", { name: "Apply" }).click();
    await poll(async () => (await links(day)).map(({ filters }) => filters)).toContainEqual({
      delay: [25, 0],
    });
    await settle(day);
    await openLinkMenu(day, "Packet filters");
    await page.getByRole("button", { name: "Reset" }).click();
    await poll(async () => (await links(day)).map(({ filters }) => filters)).toEqual([{}, {}]);
    await settle(day);
  },

  "starts all nodes, and their lights turn green": async (day) => {
    await icon(day, "play_arrow").click();
    await poll(async () => (await nodes(day)).every(({ status }) => status === "started")).toBe(true);
    const lights = day.page.locator("app-topology-summary rect[fill=green], app-topology-summary svg.status");
    await poll(() => lights.count()).toBeGreaterThan(0);
  },

  "captures on a link": async (day) => {
    const { page } = day;
    await openLinkMenu(day, "Start capture");
    await choose(day, 0, "Ethernet");
    await dialog(day).locator("input[formcontrolname=fileName]").fill("web-ui");
    await page.getByRole("button", { name: "Ok" }).click();
    await poll(async () => (await links(day)).some(({ capturing }) => capturing)).toBe(true);
    await settle(day);
  },

  "types a ping at a console": async (day) => {
    const { page } = day;
    await openNodeMenu(day, 0, "Web console");
    await poll(async () => day.consoleText()).toContain("PC1>");
    for (const line of ["ip 10.0.0.1/24", "ping 10.0.0.1 -c 2"]) {
      await page.keyboard.type(line, { delay: TYPING_MS });
      await page.keyboard.press("Enter");
    }
    await poll(async () => day.consoleText()).toMatch(/10\.0\.0\.1 icmp_seq=2/);
    // The panel covers a part of the map.
    await page.locator("app-console-wrapper").locator('button:has(mat-icon:text-is("close"))').last().click();
    await settle(day);
  },

  "stops the capture": async (day) => {
    await openLinkMenu(day, "Stop capture");
    await poll(async () => (await links(day)).some(({ capturing }) => capturing)).toBe(false);
  },

  "draws a rectangle": async (day) => {
    const { page } = day;
    await icon(day, "crop_3_2").click();
    await page.mouse.move(500, 250);
    await page.mouse.click(500, 250);
    const drawings = () => day.api(`/projects/${day.projectId}/drawings`) as Promise<unknown[]>;
    await poll(async () => (await drawings()).length).toBe(1);
  },

  "stops all nodes": async (day) => {
    await icon(day, "stop").click();
    const pcs = async () => (await nodes(day)).filter(({ name }) => name.startsWith("PC"));
    await poll(async () => (await pcs()).map(({ status }) => status)).toEqual(["stopped", "stopped"]);
  },

  "takes a snapshot": async (day) => {
    const { page } = day;
    await page.locator("button.snapshot-button").click();
    await dialog(day).locator("input").fill("noon");
    await settle(day);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const snapshots = () => day.api(`/projects/${day.projectId}/snapshots`) as Promise<{ name: string }[]>;
    await poll(async () => (await snapshots()).map(({ name }) => name)).toEqual(["noon"]);
    await settle(day);
  },

  "duplicates a node": async (day) => {
    await openNodeMenu(day, 0, "Duplicate");
    await poll(async () => (await nodes(day)).map(({ name }) => name)).toContain("PC3");
    await poll(() => day.page.locator("g.node").count()).toBe(4);
  },

  "saves the project under another name": async (day) => {
    await openProjectMenu(day, "Save project as");
    await dialog(day).locator("input").fill(`${day.name}-copy`);
    await day.page.getByRole("button", { name: "Save project" }).click();
    const names = async () => ((await day.api("/projects")) as { name: string }[]).map(({ name }) => name);
    await poll(names).toContain(`${day.name}-copy`);
    await settle(day);
  },

  "exports the project": async (day) => {
    const [file] = await Promise.all([
      day.page.waitForEvent("download", { timeout: 15_000 }),
      openProjectMenu(day, "Export portable project"),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.gns3project$/);
  },

  "closes the project": async (day) => {
    await openProjectMenu(day, "Close project");
    await day.page.getByRole("button", { name: "Yes" }).click();
    await poll(async () => ((await day.api(`/projects/${day.projectId}`)) as { status: string }).status).toBe(
      "closed",
    );
  },
};
