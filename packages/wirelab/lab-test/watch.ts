/** `--watch`: plays labs again when their files change. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Editors write a file in several steps. */
const SETTLE_MS = 50;

/** Reports changed files, some time after each change. Watches their folders, because many editors replace a file. */
export function watchFiles(files: readonly string[], onChange: (files: string[]) => void): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    const those = [...changed];
    changed.clear();
    onChange(those);
  };
  const watchers = [...Map.groupBy(files, (file) => dirname(file))].map(
    ([folder, members]): FSWatcher =>
      watch(folder, (_event, name) => {
        const found = members.filter((file) => basename(file) === name);
        if (found.length === 0) return;
        for (const file of found) changed.add(file);
        clearTimeout(timer);
        timer = setTimeout(settle, SETTLE_MS);
      }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
