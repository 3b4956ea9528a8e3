/** Help: the list of commands, and a page for each. Keywords are bold, placeholders underlined. */
import { HELP_PAGES, type HelpPage } from "./help-pages.ts";
import { bold, underline } from "./terminal-text.ts";

const SYNTAX_COLUMNS = 25;

/** Replaces `*keyword*` and `_PLACEHOLDER_` by terminal attributes. */
const marked = (text: string): string =>
  text
    .replaceAll(/\*([^*]+)\*/g, (_, keyword: string) => bold(keyword))
    .replaceAll(/_([^_]+)_/g, (_, placeholder: string) => underline(placeholder));

const plainLength = (text: string): number => text.replaceAll(/[*_]/g, "").length;

const pageOf = (topic: string): HelpPage | undefined => HELP_PAGES.find((page) => page.topic === topic);

export const hasPage = (command: string): boolean => (pageOf(command)?.details.length ?? 0) > 0;

/** Returns the page of a command's keyword (`ip dhcp`), else the command's own page; empty if neither exists. */
export function helpPage(command: string, keyword = ""): string {
  const page = pageOf(`${command} ${keyword}`) ?? pageOf(command);
  if (page === undefined) return "";
  const lines = [page.syntax, ...page.details.map((line) => `  ${line}`)];
  return `\n${lines.map((line) => `${marked(line)}\n`).join("")}`;
}

/** Returns the list of all commands. */
export function helpList(): string {
  const entries = HELP_PAGES.filter(({ summary }) => summary !== undefined);
  const lines = entries.map(({ listed, syntax, summary }) => {
    const shown = listed ?? syntax;
    const gap = " ".repeat(Math.max(1, SYNTAX_COLUMNS - plainLength(shown)));
    return `${marked(shown)}${gap}${summary}\n`;
  });
  return `\n${lines.join("")}\nA ${bold("?")} after a command shows how it is used.\n`;
}
