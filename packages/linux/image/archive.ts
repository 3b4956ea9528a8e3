/**
 * Debian's archive over HTTP: the signed list of the suite, the list of packages, the packages. Each file is checked: the suite's list by its
 * signature, all others by the hash that a checked list has of them.
 */
import { gunzipSync } from "node:zlib";
import type { Cache } from "./cache.ts";
import { ImageError } from "./image-error.ts";
import { verifyClearsigned } from "./signature.ts";

export const DEFAULT_MIRROR = "http://deb.debian.org/debian";
export const SUITE = "bookworm";
const ARCHITECTURE = "i386";
const LIST = `main/binary-${ARCHITECTURE}/Packages.gz`;
const TIMEOUT_MS = 60_000;

export interface Package {
  readonly name: string;
  readonly version: string;
  /** Names of packages that it needs; the first one of alternatives. */
  readonly depends: readonly string[];
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

export class Archive {
  readonly #mirror: string;
  readonly #cache: Cache;
  readonly #packages: ReadonlyMap<string, Package>;

  private constructor(mirror: string, cache: Cache, packages: ReadonlyMap<string, Package>) {
    this.#mirror = mirror;
    this.#cache = cache;
    this.#packages = packages;
  }

  /** @throws ImageError if the mirror does not answer, or a signature or hash is wrong. */
  static async open(mirror: string, cache: Cache): Promise<Archive> {
    const suite = `${mirror}/dists/${SUITE}`;
    const release = verifyClearsigned(await get(`${suite}/InRelease`), `${suite}/InRelease`);
    refuseOutdated(release, `${suite}/InRelease`, Date.now());
    const [, sha256] = new RegExp(`^ ([0-9a-f]{64}) +[0-9]+ ${LIST}$`, "m").exec(release) ?? [];
    if (sha256 === undefined) throw new ImageError(`${suite}/InRelease does not list ${LIST}`);
    const byHash = `${suite}/${LIST.replace(/[^/]+$/, `by-hash/SHA256/${sha256}`)}`;
    const list = gunzipSync(await cache.get(sha256, () => get(byHash)));
    return new Archive(mirror, cache, parsePackages(list.toString("utf8")));
  }

  /** @throws ImageError if the suite does not have it. */
  find(name: string): Package {
    const found = this.#packages.get(name);
    if (found === undefined)
      throw new ImageError(`Debian ${SUITE} has no package ${name} for ${ARCHITECTURE}`);
    return found;
  }

  has(name: string): boolean {
    return this.#packages.has(name);
  }

  download({ path, sha256 }: Package): Promise<Uint8Array> {
    return this.#cache.get(sha256, () => get(`${this.#mirror}/${path}`));
  }
}

/**
 * A mirror that is held back would give packages with known faults. https://wiki.debian.org/DebianRepository/Format#Date.2C_Valid-Until
 * @throws ImageError for a list that names a day until which it is valid, and which is over.
 */
export function refuseOutdated(release: string, name: string, nowMs: number): void {
  const until = /^Valid-Until: (.+)$/m.exec(release)?.[1];
  if (until === undefined) return;
  const untilMs = Date.parse(until);
  if (Number.isNaN(untilMs)) throw new ImageError(`${name} has a Valid-Until that is no date: ${until}`);
  if (nowMs > untilMs) throw new ImageError(`${name} was valid until ${until}: take another mirror`);
}

async function get(url: string): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    const { message, cause } = error as Error;
    throw new ImageError(`${url}: ${cause instanceof Error ? cause.message : message}`);
  }
  throw new ImageError(`${url}: the mirror returned ${response.status}`);
}

/** Reads a list of packages (deb-control(5)). */
export function parsePackages(text: string): Map<string, Package> {
  const packages = new Map<string, Package>();
  for (const paragraph of text.split("\n\n")) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(paragraph)?.[1];
    const [name, version, path, sha256] = ["Package", "Version", "Filename", "SHA256"].map(field);
    if (!name || !version || !path || !sha256) continue;
    const depends = [field("Pre-Depends"), field("Depends")].flatMap((list) => list?.split(",") ?? []);
    packages.set(name, {
      name,
      version,
      path,
      sha256,
      size: Number(field("Size")),
      depends: depends.map((each) => /^[^\s:(|]+/.exec(each.trim())?.[0] ?? "").filter((each) => each !== ""),
    });
  }
  return packages;
}
