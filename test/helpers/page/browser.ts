/** What tests of the page in a browser share. */
import { buffer } from "node:stream/consumers";
import { source as axe } from "axe-core";
import type { Download, Page } from "playwright-core";

export const BROWSER = "/usr/bin/chromium";

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** The rules of WCAG 2.2 AA that the page breaks. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(
    `${axe}; axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })`,
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

export const bytesOf = async (download: Download): Promise<Buffer> =>
  buffer(await download.createReadStream());
