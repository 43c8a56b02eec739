/** A setting that cannot be used. The message is shown before the server refuses to start. */
export class SettingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingError';
  }
}

const SHOWN_MAX_LENGTH = 60;

/** `refuse('PORT', 'must be …', 'abc')` → `PORT must be …, not "abc"`. Leave the value away where it is a secret. */
export function refuse(name: string, rule: string, value?: string): never {
  if (value === undefined) throw new SettingError(`${name} ${rule}`);
  const shown = value.length > SHOWN_MAX_LENGTH ? `${value.slice(0, SHOWN_MAX_LENGTH)}…` : value;
  // Quoted as JSON, so that a line break within the value cannot break the line.
  throw new SettingError(`${name} ${rule}, not ${JSON.stringify(shown)}`);
}

/** The environment, read by name. A setting that is empty, or only spaces, counts as not set. */
export type Settings = {
  /** Without the spaces around it. */
  text: (name: string) => string | undefined;
  /** Exactly as written; its value belongs in no message. */
  secret: (name: string) => string | undefined;
  wholeNumber: (name: string, bounds: { min: number; max: number; unset: number }) => number;
  /** An http or https address without credentials. */
  httpUrl: (name: string) => URL | undefined;
};

export function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const secret = (name: string) => {
    const value = env[name];
    return value === undefined || value.trim() === '' ? undefined : value;
  };
  const text = (name: string) => secret(name)?.trim();

  return {
    text,
    secret,

    wholeNumber(name, { min, max, unset }) {
      const written = text(name);
      if (written === undefined) return unset;
      const value = /^\d{1,15}$/.test(written) ? Number(written) : Number.NaN;
      return value >= min && value <= max
        ? value
        : refuse(name, `must be a whole number from ${min} to ${max}`, written);
    },

    httpUrl(name) {
      const written = text(name);
      if (written === undefined) return undefined;
      const url = URL.canParse(written) ? new URL(written) : undefined;
      if (url && (url.username !== '' || url.password !== '')) {
        refuse(name, 'must be an address without a user name or password in it');
      }
      return url && /^https?:$/.test(url.protocol) && url.hostname !== ''
        ? url
        : refuse(name, 'must be an address that begins with http:// or https://', written);
    },
  };
}
