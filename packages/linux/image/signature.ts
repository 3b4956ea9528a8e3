/** Verifies the signature of Debian's lists by `gpgv`, with the keys of the suite (debian-keys.ts). */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEBIAN_KEYS } from "./debian-keys.ts";
import { ImageError } from "./image-error.ts";

/** Of the status lines of gpgv (GnuPG's doc/DETAILS): an expired signature is a valid one, too. */
const GOOD = /^\[GNUPG:\] VALIDSIG /m;
const BAD = /^\[GNUPG:\] (BADSIG|EXPSIG|EXPKEYSIG|REVKEYSIG) /m;

export const isGoodStatus = (status: string): boolean => GOOD.test(status) && !BAD.test(status);

/** @returns the text that is signed. @throws ImageError if the signature is not valid, or gpgv is missing. */
export function verifyClearsigned(signed: Uint8Array, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-keys-"));
  try {
    const [keys, file, text] = ["keys.gpg", "signed", "text"].map((each) => join(folder, each)) as [
      string,
      string,
      string,
    ];
    writeFileSync(keys, Buffer.from(DEBIAN_KEYS, "base64"));
    writeFileSync(file, signed);
    const { error, stdout, stderr } = spawnSync(
      "gpgv",
      ["--status-fd", "1", "--keyring", keys, "--output", text, file],
      { encoding: "utf8" },
    );
    if (error) throw new ImageError(`gpgv, which verifies ${name}, cannot be started: ${error.message}`);
    // Debian signs with the keys of several releases; the keyring has those of one.
    if (!isGoodStatus(stdout))
      throw new ImageError(`${name} has no valid signature of Debian: ${stderr.trim()}`);
    return readFileSync(text, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
