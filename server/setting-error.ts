/** A wrong setting. The message is shown before the server refuses to start. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const shownMaxLength = 60;

/** `refuse('PORT', 'must be …', 'abc')` → `PORT must be …, not "abc"`. Never pass the value of a secret. */
export function refuse(name: string, rule: string, value?: string): never {
  if (value === undefined) throw new SettingError(`${name} ${rule}`);
  const shown = value.length > shownMaxLength ? `${value.slice(0, shownMaxLength)}…` : value;
  // The value is printed as JSON, so that a line break in it does not break the line.
  throw new SettingError(`${name} ${rule}, not ${JSON.stringify(shown)}`);
}
