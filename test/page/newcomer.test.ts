/** The page in a browser, as a newcomer uses it: nothing but the address. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { boundsOf, FIT, fitBounds } from "../../page/src/viewport/bounds.ts";
import { BROWSER, bytesOf, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser } from "../helpers/page/join.ts";
import { type ClientStack, startClientStack } from "../helpers/service/client-stacks.ts";

/** Pictures of the page after each step. */
const PICTURES = join(tmpdir(), "wirelab-page");

describe.skipIf(!existsSync(BROWSER)).each(["none", "basic"] as const)(
  "a newcomer with auth=%s (skipped without chromium)",
  (auth) => {
    let service: ClientStack;
    let browser: Browser;
    let page: Page;
    let failed: string | undefined;
    const faults: string[] = [];
    let printed = "";
    const device = (name: string) => page.locator(".parts .part", { hasText: name }).first();

    beforeAll(async () => {
      mkdirSync(PICTURES, { recursive: true });
      service = await startClientStack(auth);
      browser = await joinBrowser();
      page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
      page.setDefaultTimeout(60_000);
      page.on("console", (message) => {
        const text = `${message.text()} ${message.location().url}`;
        // The page may ask for a part that is being deleted; the browser reports the answer.
        if (/status of 404 .*\/projects\/[0-9a-f-]{36}/.test(text)) return;
        if (message.type() === "error" || message.type() === "warning") faults.push(text);
      });
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("websocket", (socket) => {
        socket.on("framereceived", ({ payload }) => {
          printed += String(payload);
        });
      });
    }, 300_000);

    afterAll(async () => {
      await browser?.close();
      await service?.stack.stop();
    });

    const step = (name: string, body: () => Promise<void>) =>
      test(name, async () => {
        expect(failed, "an earlier step failed").toBeUndefined();
        failed = name;
        await body().finally(() => page.screenshot({ path: join(PICTURES, `${auth} ${name}.png`) }));
        failed = undefined;
      }, 90_000);

    step("opens the address and signs in", async () => {
      const { stack, credentials } = service;
      await page.goto(stack.url);
      if (credentials !== undefined) {
        await page.getByLabel("Password").fill("wrong");
        await page.getByLabel("Name").fill(credentials.user);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("alert").filter({ hasText: "is wrong" }).waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await page.getByLabel("Password").fill(credentials.password);
        await page.getByRole("button", { name: "Sign in" }).click();
        // The browser reports each 401 on the console.
        faults.splice(0);
      }
      await page.getByText("There is no lab yet").waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });

    step("creates a lab", async () => {
      await page.getByLabel("Name of the new lab").fill("My first lab");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByText("This lab is empty").waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });

    step("adds two PCs by clicks, and a switch by dragging", async () => {
      const palette = page.getByRole("navigation", { name: "Devices to add" });
      await palette.getByRole("button", { name: "PC", exact: true }).click();
      await device("PC1").waitFor();
      await palette.getByRole("button", { name: "PC", exact: true }).click();
      await device("PC2").waitFor();
      await palette.getByRole("button", { name: "Switch" }).hover();
      await page.mouse.down();
      await page.mouse.move(500, 200, { steps: 4 });
      await page.mouse.up();
      await device("Switch1").waitFor();
      expect(await page.locator(".parts").first().locator("li").count()).toBe(3);
    });

    step("connects one PC by the form, the other one by a cable that is drawn with the mouse", async () => {
      await device("PC1").click();
      await page.getByRole("combobox", { name: /^To/ }).selectOption({ label: "Switch1" });
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.getByText("PC1 e0 – Switch1 e0").waitFor();
      await page.getByRole("button", { name: "Fit" }).click();
      const canvas = (await page.getByRole("region", { name: "Topology" }).boundingBox())!;
      const nodes = await readNodes();
      const { zoom, pan } = fitBounds(boundsOf(nodes), canvas, FIT);
      const middleOf = (name: string) => {
        const { x, y, width, height } = nodes.find((node) => node.name === name)!;
        return [
          canvas.x + pan.x + zoom * (x + width / 2),
          canvas.y + pan.y + zoom * (y + height / 2),
        ] as const;
      };
      await page.getByRole("button", { name: "Cable" }).click();
      await page.mouse.move(...middleOf("Switch1"));
      await page.mouse.down();
      await page.mouse.move(...middleOf("PC2"), { steps: 5 });
      await page.mouse.up();
      await page.getByRole("dialog", { name: "Ports of the cable between Switch1 and PC2" }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.getByText("Switch1 e1 – PC2 e0").waitFor();
      await page.getByRole("button", { name: "Cable" }).click();
    });

    step("starts all, and pings in a console", async () => {
      await page.getByRole("button", { name: "Start all" }).click();
      await page.getByRole("button", { name: "Stop PC2" }).waitFor();
      for (const [name, line] of [
        ["PC2", "ip 10.0.0.2/24"],
        ["PC1", "ip 10.0.0.1/24"],
        ["PC1", "ping 10.0.0.2 -c 3"],
      ] as const) {
        const before = printed.length;
        await device(name).dblclick();
        await page.locator(".terminal:not([hidden]) .xterm-rows", { hasText: `${name}>` }).waitFor();
        await page.keyboard.type(line, { delay: 5 });
        await page.keyboard.press("Enter");
        await expect
          .poll(() => printed.slice(before), { timeout: 60_000 })
          .toMatch(line.startsWith("ip ") ? /255\.255\.255\.0/ : /icmp_seq=3 ttl=64/);
      }
      expect(await violationsOf(page)).toEqual([]);
    });

    step("loses packets by a slider, and undoes and repeats a deletion by keys", async () => {
      await page.getByRole("button", { name: /PC1 e0 – Switch1 e0/ }).click();
      await page.getByRole("slider", { name: /^Loss/ }).fill("10");
      await page.getByText("About 10 of 100 packets are dropped").waitFor();
      await expect
        .poll(async () => (await readLinks()).some(({ filters }) => filters.packet_loss?.[0] === 10))
        .toBe(true);
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("heading", { name: "PC1 e0 – Switch1 e0" }).click();
      await page.keyboard.press("Delete");
      await expect.poll(async () => (await readLinks()).length).toBe(1);
      await page.keyboard.press("Control+z");
      await expect.poll(async () => (await readLinks()).length).toBe(2);
      expect((await readLinks()).some(({ filters }) => filters.packet_loss?.[0] === 10)).toBe(true);
    });

    step("sees at once what another client changes", async () => {
      const { node_id } = (await readNodes()).find(({ name }) => name === "PC2")!;
      await call("PUT", `/projects/${await projectId()}/nodes/${node_id}`, { name: "Printer" });
      await device("Printer").waitFor();
    });

    step("exports the lab, and imports the file", async () => {
      await page.getByRole("link", { name: "All labs" }).click();
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export My first lab" }).click();
      const file = await bytesOf(await downloading);
      await page.getByLabel("Import…").setInputFiles({
        name: "copy.gns3project",
        mimeType: "application/octet-stream",
        buffer: file,
      });
      await device("Printer").waitFor();
      await page.getByText("PC1 e0 – Switch1 e0").waitFor();
    });

    step("has caused no error and no warning on the browser's console", async () => {
      expect(faults).toEqual([]);
    });

    const headers = () => {
      const { credentials } = service;
      const authorization =
        credentials &&
        `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString("base64")}`;
      return { "content-type": "application/json", ...(authorization && { authorization }) };
    };
    const call = async (method: string, path: string, body?: object) => {
      const init = { method, headers: headers(), ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${service.stack.url}/v2${path}`, init);
      return (await response.json()) as never;
    };
    const projectId = async () =>
      ((await call("GET", "/projects")) as { project_id: string }[])[0]!.project_id;
    const readNodes = async () =>
      (await call("GET", `/projects/${await projectId()}/nodes`)) as {
        name: string;
        node_id: string;
        x: number;
        y: number;
        width: number;
        height: number;
      }[];
    const readLinks = async () =>
      (await call("GET", `/projects/${await projectId()}/links`)) as { filters: Record<string, number[]> }[];
  },
);
