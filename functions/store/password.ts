/**
 * Passwords as they are kept: scrypt hashes, each with the parameters it was made with, so that these can grow and the
 * hashes of before stay good. What is compared is compared in constant time.
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

export interface PasswordHash {
  /** Both base64. */
  readonly salt: string;
  readonly hash: string;
  /** Cost, block size and parallelism: N, r and p of RFC 7914. */
  readonly cost: number;
  readonly block_size: number;
  readonly parallelism: number;
}

type Parameters = Pick<PasswordHash, "cost" | "block_size" | "parallelism">;

/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt: 32 MiB, 0.3 s of a processor. */
const PARAMETERS: Parameters = { cost: 2 ** 15, block_size: 8, parallelism: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** scrypt takes 128 bytes times cost times block size, and a little. */
const MEMORY_MARGIN = 2;

/** 144 bits: nobody guesses it, and it can be typed. */
const GENERATED_BYTES = 18;

const derive = promisify(
  (
    password: string,
    salt: Buffer,
    { cost, block_size, parallelism }: Parameters,
    done: (error: Error | null, key: Buffer) => void,
  ) =>
    scrypt(
      password.normalize("NFC"),
      salt,
      HASH_BYTES,
      {
        cost,
        blockSize: block_size,
        parallelization: parallelism,
        maxmem: MEMORY_MARGIN * 128 * cost * block_size,
      },
      done,
    ),
);

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, PARAMETERS);
  return { salt: salt.toString("base64"), hash: hash.toString("base64"), ...PARAMETERS };
}

export async function isPassword(password: string, stored: PasswordHash): Promise<boolean> {
  const hash = await derive(password, Buffer.from(stored.salt, "base64"), stored);
  return timingSafeEqual(hash, Buffer.from(stored.hash, "base64"));
}

/** Of no password: looking at it takes as long as at a real one, so that time does not tell who is a user. */
export const NOBODYS_HASH: PasswordHash = {
  salt: randomBytes(SALT_BYTES).toString("base64"),
  hash: randomBytes(HASH_BYTES).toString("base64"),
  ...PARAMETERS,
};

export const generatePassword = (): string => randomBytes(GENERATED_BYTES).toString("base64url");
