import { execFileSync } from "node:child_process";
import { constants } from "node:os";
import { expect, test } from "vitest";
import type { Libc } from "../../../../packages/wirelab/live/batch/libc.ts";
import { scheduleInRealTime } from "../../../../packages/wirelab/live/real-time-scheduling.ts";

const MODULE = new URL("../../../../packages/wirelab/live/real-time-scheduling.ts", import.meta.url).href;
const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)("gives the thread the class SCHED_RR with priority 1 (skipped without root)", () => {
  // Field 40 and 41 of proc_pid_stat(5): the priority in the class, and the class.
  const program = `
    const { scheduleInRealTime } = await import(${JSON.stringify(MODULE)});
    await scheduleInRealTime();
    const { readFileSync } = await import("node:fs");
    console.log(readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ").slice(37, 39).join(" "));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(output.trim()).toBe("1 2");
});

test("reports a refusal with what to do", async () => {
  const libc = { sched_setscheduler: () => -1, errno: () => constants.errno.EPERM } as unknown as Libc;
  await expect(scheduleInRealTime(Promise.resolve(libc))).rejects.toThrow(
    "--real-time: sched_setscheduler EPERM: operation not permitted; run as root or with the capability CAP_SYS_NICE",
  );
});

test("reports a system that has no such call", async () => {
  await expect(scheduleInRealTime(Promise.resolve(undefined))).rejects.toThrow("--real-time needs Linux");
});
