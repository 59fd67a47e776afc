import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "./database/client.ts";

/**
 * Encrypts the secrets in the database with a key that is not in it, so that a dump or a backup alone reveals none
 * (docs/operating.md#the-secrets-key). `place` is the id of the row: a secret that is copied into another row cannot be
 * decrypted.
 */
export interface SecretKeys {
  encrypt(secret: string, place: string): Promise<string>;
  decrypt(stored: string, place: string): Promise<string>;
  /** Encrypts with the first key what another key has encrypted. */
  renew(stored: string, place: string): Promise<string>;
  /** What a stored secret begins with, up to the dot, if one of the keys has encrypted it. */
  ids(): Promise<string[]>;
}

export interface SecretKeySources {
  /** The first key encrypts, all decrypt. */
  secretsKeys: readonly string[];
  databaseUrl: string | undefined;
  dataDir: string;
}

interface Key {
  id: string;
  bytes: Uint8Array;
}

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The keys of SECRETS_KEY, then the password of DATABASE_URL, which all servers of a database share, then the file of the
 * embedded database. They are read and derived at the first use, and the file is made when there is no key.
 */
export function secretKeys({ secretsKeys, databaseUrl, dataDir }: SecretKeySources): SecretKeys {
  const file = join(dataDir, "secrets.key");
  let known: readonly Key[] = [];

  /** If a key was not found or could not be read, the next use looks for it again. */
  async function keys(): Promise<readonly Key[]> {
    if (known.length === 0) known = await find();
    return known;
  }

  async function find(): Promise<Key[]> {
    const password = databaseUrl === undefined ? undefined : createClient(databaseUrl).password;
    const stored = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    const texts = [...secretsKeys, password, stored?.trim()];
    return Promise.all(texts.flatMap((text) => (text ? [deriveKey(text)] : [])));
  }

  async function firstKey(): Promise<Key> {
    if ((await keys()).length === 0) await makeKeyFile(file);
    const [first] = await keys();
    if (!first) throw new Error(`${file} is empty.`);
    return first;
  }

  async function encrypt(secret: string, place: string) {
    const { id, bytes } = await firstKey();
    const nonce = randomBytes(nonceBytes);
    const encryption = createCipheriv(cipher, bytes, nonce).setAAD(Buffer.from(place));
    const encrypted = [nonce, encryption.update(secret, "utf8"), encryption.final(), encryption.getAuthTag()];
    return `${id}.${Buffer.concat(encrypted).toString("base64url")}`;
  }

  async function decrypt(stored: string, place: string) {
    const [id = "", text = ""] = stored.split(".");
    const key = (await keys()).find((each) => each.id === id);
    if (!key) throw new Error(`Its key, ${id}, is missing: add it to SECRETS_KEY (docs/operating.md#the-secrets-key).`);
    const bytes = Buffer.from(text, "base64url");
    const decryption = createDecipheriv(cipher, key.bytes, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-tagBytes));
    return decryption.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decryption.final("utf8");
  }

  return {
    encrypt,
    decrypt,
    async renew(stored, place) {
      const { id } = await firstKey();
      return stored.startsWith(`${id}.`) ? stored : encrypt(await decrypt(stored, place), place);
    },
    ids: async () => (await keys()).map(({ id }) => id),
  };
}

/** With scrypt, because the id of the key is in the dump, and must not help to guess the password of DATABASE_URL. */
async function deriveKey(text: string): Promise<Key> {
  const derive = promisify<string, string, number, Buffer>(scrypt);
  const derived = await derive(text, "secrets in the database", 36);
  return { bytes: derived.subarray(0, 32), id: derived.subarray(32).toString("hex") };
}

/** A hard link appears with its whole content or not at all; of two at the same moment the first stays. */
async function makeKeyFile(file: string) {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx", flush: true });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
}
