import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ifMissing, syncPath, unlessCode } from './file-system.ts';

/**
 * Seals what must be shown again later, issued passwords and one-time codes (§issued-passwords), and fingerprints what
 * only needs to be recognised, such as session tokens. The key is not in the database, so a copy of the database
 * reveals nothing.
 */
export type SecretBox = ReturnType<typeof createSecretBox>;

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with a separate key for every record: HKDF-SHA256 of the master key with a random salt and the context.
 * The text is `v1.salt.nonce.ciphertext`, each base64url, with the tag at the end of the ciphertext.
 */
export function createSecretBox(masterKey: Buffer) {
  if (masterKey.length !== KEY_BYTES) throw new RangeError(`The master key has ${KEY_BYTES} bytes`);

  const recordKey = (salt: Buffer, info: string) =>
    Buffer.from(crypto.hkdfSync('sha256', masterKey, salt, info, KEY_BYTES));
  const fingerprintKey = recordKey(Buffer.alloc(0), boundContext('fingerprints'));

  return {
    /** `context` is the kind and the owner, such as `otp:1005`: a sealed text moved to another row does not open. */
    seal(plain: string, context: string): string {
      const info = boundContext(context);
      const salt = crypto.randomBytes(SALT_BYTES);
      const nonce = crypto.randomBytes(NONCE_BYTES);
      const key = recordKey(salt, info);
      const cipher = crypto.createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(info));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, ...[salt, nonce, sealed].map((part) => part.toString('base64url'))].join('.');
    },

    /** Undefined if the text was changed, has another context or was sealed with another key. */
    open(text: string, context: string): string | undefined {
      const parts = readSealed(text);
      if (!parts) return undefined;
      const info = boundContext(context);
      const key = recordKey(parts.salt, info);
      // GCM would otherwise accept a tag cut down to four bytes.
      const decipher = crypto.createDecipheriv(CIPHER, key, parts.nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(info));
      decipher.setAuthTag(parts.tag);
      try {
        return Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },

    /**
     * 64 hexadecimal digits, the same for the same text, context and key; none of the three can be derived from them.
     */
    fingerprint(plain: string, context: string): string {
      const hmac = crypto.createHmac('sha256', fingerprintKey);
      // The length separates context and text.
      return hmac.update(`${context.length} ${context} ${plain}`).digest('hex');
    },
  };
}

/** Compared by digest, so that timing reveals neither length nor content of the secret. */
export function isSameSecret(secret: string, given: string): boolean {
  const digest = (text: string) => crypto.hash('sha256', text, 'buffer');
  return crypto.timingSafeEqual(digest(secret), digest(given));
}

/** If nothing is sealed or opened. */
export const withoutSecrets: SecretBox = {
  seal: refuseWithoutKey,
  open: refuseWithoutKey,
  fingerprint: refuseWithoutKey,
};

function refuseWithoutKey(): never {
  throw new Error('nothing can be sealed, opened or recognised here');
}

const boundContext = (context: string) => `hiram ${VERSION} ${context}`;

function readSealed(text: string) {
  const [version, ...encoded] = text.split('.');
  if (version !== VERSION || encoded.length !== 3) return undefined;
  const [salt, nonce, sealed] = encoded.map(strictBase64url);
  if (salt?.length !== SALT_BYTES || nonce?.length !== NONCE_BYTES) return undefined;
  if (!sealed || sealed.length < TAG_BYTES) return undefined;
  const tagStart = sealed.length - TAG_BYTES;
  return { salt, nonce, ciphertext: sealed.subarray(0, tagStart), tag: sealed.subarray(tagStart) };
}

/** Node skips characters that are not base64; a changed one must not go unnoticed. */
function strictBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

export const KEY_FILE = 'secret.key';

/** SECRET_KEY, else `secret.key` in the data directory, made at the first start; of many processes one makes it. */
export function loadSecretKey(source: KeySource): Buffer {
  return findSecretKey(source) ?? keepSecretKey(source.dataDir, crypto.randomBytes(KEY_BYTES));
}

type KeySource = { secretKey?: Buffer | undefined; dataDir: string };

/** The same, or undefined if there is none yet. */
export function findSecretKey({ secretKey, dataDir }: KeySource): Buffer | undefined {
  return secretKey ?? readSecretKey(path.join(dataDir, KEY_FILE));
}

/** Makes no key: the right one may still be copied here. */
export function findSecretBox(source: KeySource): SecretBox {
  const key = findSecretKey(source);
  return key ? createSecretBox(key) : withoutSecrets;
}

/** Uses the key that is here, or a new one. */
export const makeSecretBox = (source: KeySource): SecretBox => createSecretBox(loadSecretKey(source));

export function readSecretKey(file: string): Buffer | undefined {
  try {
    return secretKeyOf(fs.readFileSync(file, 'utf8'), file);
  } catch (error) {
    return ifMissing(error);
  }
}

export function secretKeyOf(written: string, file: string): Buffer {
  const text = written.trim();
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== text) {
    throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes in base64: put the right one back`);
  }
  return key;
}

/**
 * Returns the key that is stored then. Written under another name and linked: a link fails if the name is taken, so the
 * first key wins, and nobody reads half of one.
 */
export function keepSecretKey(directory: string, secretKey: Buffer): Buffer {
  const file = path.join(directory, KEY_FILE);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomBytes(8).toString('hex')}`;
  fs.writeFileSync(draft, `${secretKey.toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    unlessCode('EEXIST', () => fs.linkSync(draft, file));
  } finally {
    fs.unlinkSync(draft);
  }
  syncPath(directory);
  const key = readSecretKey(file);
  if (!key) throw new Error(`${file} vanished while it was made`);
  return key;
}

export function fingerprintOfKey(secretKey: Buffer): string {
  const hmac = crypto.createHmac('sha256', secretKey).update(`hiram ${VERSION} fingerprint`);
  return hmac.digest('hex').slice(0, 16);
}
