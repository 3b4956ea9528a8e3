/** The clock of the service, set by libfaketime (Debian's package `faketime`). The embedded DynamoDB is linked statically and keeps the true time. */
import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Clock {
  /** Variables of the processes whose clock this is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the clock to the true time and this many seconds more. */
  set(offsetS: number): void;
}

/** @returns undefined where libfaketime is not installed. */
export function makeClock(folder: string): Clock | undefined {
  const library = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1").find((path) => existsSync(path));
  if (library === undefined) return undefined;
  const file = join(folder, "clock");
  const set = (offsetS: number) => writeFileSync(file, `${offsetS < 0 ? "" : "+"}${offsetS}\n`);
  set(0);
  return {
    set,
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Seconds between two looks at the file.
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
  };
}
