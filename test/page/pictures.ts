/**
 * `npm run pictures`: takes the pictures of the page in docs/images, in /usr/bin/chromium.
 *
 * With `npm run pictures -- FOLDER`, also the same views in dark colours and on a telephone, into FOLDER: for looking at.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { makeCampus } from "./pictures/campus.ts";

const BROWSER = "/usr/bin/chromium";
const IMAGES = fileURLToPath(new URL("../../docs/images", import.meta.url));
const TESTS = `run:
  - {at: 1s, console: {PC1: ping 10.0.9.10 -c 8}}
  - {at: 5s, down: CORE1-SW1}
expect:
  - {reach: PC1 -> Server, at: 0s}
  - {ping: PC1 -> Server, at: 0s, max: < 150ms}
  - no loop:
`;

const stack = await startInMemory();
const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });

async function api(method: string, path: string, body?: unknown): Promise<never> {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${stack.url}/v2${path}`, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as never;
}

/** Takes the three pictures. @param name makes the name of a file from that of a picture. */
async function take(address: string, options: BrowserContextOptions, name: (picture: string) => string) {
  const page = await browser.newPage({ reducedMotion: "reduce", ...options });
  page.setDefaultTimeout(30_000);
  const isNarrow = (options.viewport?.width ?? 1280) < 760;
  const tab = (title: string) => page.getByRole("button", { name: title, exact: true }).click();
  const look = async (picture: string) => {
    await settle(page);
    await page.screenshot({ path: name(picture) });
  };
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("topology drawn").length > 0);
  await page.getByRole("img", { name: /R1 e1 – R2 e0: lte/ }).waitFor({ state: "attached" });
  if (!isNarrow) await page.getByRole("button", { name: /^R1 e1 – R2 e0/ }).click();
  await look("page");
  await page.keyboard.press("Escape");
  await tab("Packets");
  await page.locator(".filter-box input").fill("icmp");
  await page.getByText(/^\d+ of \d+ packets/).waitFor();
  await page.locator(".packet-rows [role=option]", { hasText: "Echo" }).first().click();
  await page.getByRole("region", { name: "The packet's way" }).waitFor();
  await look("page-packets");
  await tab("Tests");
  await page.locator("#tests-text").fill(TESTS);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("img", { name: /^Round trips of 8 pings/ }).waitFor();
  await page.getByRole("slider", { name: "Time" }).fill("3200000000");
  await page.getByRole("slider", { name: "Time" }).scrollIntoViewIfNeeded();
  await look("page-tests");
  await page.close();
}

/** Two pictures that are equal show that the page has come to rest. */
async function settle(page: Page): Promise<void> {
  let before: Buffer;
  let now = await page.screenshot();
  do {
    before = now;
    await page.waitForTimeout(300);
    now = await page.screenshot();
  } while (!before.equals(now));
}

try {
  const { projectId } = await makeCampus(api);
  const address = `${stack.url}/v2/page#/labs/${projectId}`;
  const desktop = { width: 1280, height: 860 };
  await take(address, { viewport: desktop, deviceScaleFactor: 1.5 }, (picture) =>
    join(IMAGES, `${picture}.png`),
  );
  const [folder] = process.argv.slice(2);
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    const dark = { viewport: desktop, colorScheme: "dark" } as const;
    await take(address, dark, (picture) => join(folder, `${picture}-dark.png`));
    const telephone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
    await take(address, telephone, (picture) => join(folder, `${picture}-telephone.png`));
  }
} finally {
  await browser.close();
  await stack.stop();
}
