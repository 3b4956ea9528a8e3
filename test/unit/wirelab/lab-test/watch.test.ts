import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchFiles } from "../../../../packages/wirelab/lab-test/watch.ts";
import { main } from "../../../../packages/wirelab/main.ts";
import { BROKEN, GOOD, writeLabs } from "./labs.ts";

test("reports files that are written or replaced, and no others", async () => {
  const { files, folder } = writeLabs({ one: GOOD, two: GOOD, other: GOOD });
  for (const change of [
    () => writeFileSync(files.one, BROKEN),
    () => {
      writeFileSync(join(folder, "new"), BROKEN);
      renameSync(join(folder, "new"), files.one);
    },
  ]) {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const stop = watchFiles([files.one, files.two], resolve);
    writeFileSync(files.other, BROKEN);
    change();
    expect(await promise).toEqual([files.one]);
    stop();
  }
});

test("--watch plays a changed lab again, until it is interrupted", async () => {
  const { files } = writeLabs({ one: GOOD, two: GOOD });
  const lines: string[] = [];
  const waiting: { text: string; resolve: () => void }[] = [];
  const until = (text: string) => new Promise<void>((resolve) => waiting.push({ text, resolve }));
  const write = (text: string) => {
    lines.push(text);
    for (const each of waiting) if (text.includes(each.text)) each.resolve();
    return true;
  };
  const watching = until("watching 2 files");
  const again = until("1 lab: 1 passed");
  const ended = main(["test", "--watch", files.one, files.two], {
    stdout: { write },
    stderr: { write },
  } as never);
  await watching;
  // The listener for the signal and the watchers start in the same turn as the message.
  writeFileSync(files.two, `${GOOD}# changed\n`);
  await again;
  process.emit("SIGINT");
  expect(await ended).toBe(0);
  expect(lines.at(-1)).toContain(files.two);
});
