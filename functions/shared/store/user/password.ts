/**
 * Passwords are stored as scrypt hashes, each with its own parameters, so that new hashes can cost more while older ones stay valid.
 * Hashes are compared in constant time.
 */
import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
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

/** 32 MiB, 0.3 s of a processor: https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt */
const PARAMETERS: Parameters = { cost: 2 ** 15, block_size: 8, parallelism: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** scrypt needs slightly more than 128 bytes times cost times block size. */
const MEMORY_MARGIN = 2;

/** 144 bits are too many to guess, and few enough to type. */
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

/**
 * Returns a value that changes with the password, and from which the password cannot be guessed with less work than from the hash:
 * tokens name it.
 */
export const generationOf = ({ salt, hash }: PasswordHash): string =>
  createHash("sha256").update(`${salt}.${hash}`).digest("base64url").slice(0, GENERATION_CHARACTERS);

/** 132 bits. */
const GENERATION_CHARACTERS = 22;

/** Compared for unknown users, so that the response time does not reveal which users exist. */
export const UNKNOWN_USERS_HASH: PasswordHash = {
  salt: randomBytes(SALT_BYTES).toString("base64"),
  hash: randomBytes(HASH_BYTES).toString("base64"),
  ...PARAMETERS,
};

export const generatePassword = (): string => randomBytes(GENERATED_BYTES).toString("base64url");
