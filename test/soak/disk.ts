/** A disk that gets full: what was acknowledged is there afterwards, and the service goes on without a restart once there is room. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "./service.ts";

const DISK_MB = 96;
const FILE_BYTES = 200_000;
const MOST_FILES = 2_000;
const ROOM_AFTER_MS = 60_000;

/** Mounts a small disk. @returns undefined without root; else a function that unmounts it. */
export function mountSmallDisk(folder: string): (() => void) | undefined {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return () => execFileSync("umount", ["--lazy", folder]);
}

/** Leaves the disk `room` bytes. @returns a function that gives the bytes back. */
function fill(folder: string, room: number): () => void {
  const { bavail, bsize } = statfsSync(folder);
  const ballast = join(folder, "ballast");
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - room)));
  return () => rmSync(ballast);
}

const contentOf = (index: number): string => `${index} `.repeat(FILE_BYTES / `${index} `.length);

/** @returns what was wrong. */
export async function fillDisk(service: Service, disk: string): Promise<string[]> {
  const problems: string[] = [];
  const send = async (method: string, path: string, body?: string): Promise<Response> =>
    fetch(`${service.base}${path}`, { method, ...(body !== undefined && { body }) });
  const made = await send("POST", "/projects", JSON.stringify({ name: "disk" }));
  const { project_id } = (await made.json()) as { project_id: string };
  const put = (index: number) => send("POST", `/projects/${project_id}/files/f${index}`, contentOf(index));
  const giveBack = fill(disk, 4 * 1024 * 1024);
  const acknowledged: number[] = [];
  let refusals = 0;
  for (let index = 0; index < MOST_FILES && refusals < 20; index++) {
    const { status, ok } = await put(index);
    if (ok) acknowledged.push(index);
    else {
      refusals += 1;
      if (status < 500) problems.push(`a full disk is ${status}`);
    }
  }
  if (refusals === 0) problems.push(`${MOST_FILES} files of ${FILE_BYTES} bytes fit on the full disk`);
  giveBack();
  const sinceMs = performance.now();
  let isWell = false;
  while (!isWell && performance.now() - sinceMs < ROOM_AFTER_MS) isWell = (await put(MOST_FILES)).ok;
  if (!isWell) problems.push("with room on the disk again, the service refuses files");
  await service.stop();
  await service.start();
  for (const index of acknowledged) {
    const read = await send("GET", `/projects/${project_id}/files/f${index}`);
    if ((await read.text()) !== contentOf(index)) problems.push(`the file ${index} is lost: ${read.status}`);
  }
  return problems;
}
