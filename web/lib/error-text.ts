import { useCallback } from 'react';
import type { ErrorCode } from '#contract/errors.ts';
import { type CoreWording, core } from '#contract/wording/en-core.ts';
import { CallError } from './call-error.ts';
import { useCoreWords } from './language.tsx';

type ValidationKey = keyof CoreWording['validation'];

const readableLength = 200;

const keyOfSentence = new Map(
  Object.entries(core.validation).map(([key, sentence]) => [sentence, key as ValidationKey]),
);

/** A validation message in the reader's language, whether it comes as a schema's key or as the server's English. */
export function validationSentence(message: string, words: CoreWording): string {
  const key = Object.hasOwn(words.validation, message)
    ? (message as ValidationKey)
    : keyOfSentence.get(message);
  return key === undefined ? message : words.validation[key];
}

/**
 * What to say of a failure: in English the server's own message, in another language the sentence of its code. Where
 * the server gave none, `fallback`. What something other than our server said (a proxy's page) is not shown whole.
 */
export function errorText(error: unknown, words: CoreWording, fallback = words.shell.tryAgain): string {
  if (!(error instanceof CallError)) {
    return error instanceof Error && error.name === 'NetworkError' ? words.shell.noConnection : fallback;
  }
  const { status, code = 'too_many_tries', retryAfterSeconds } = error;
  if (status === 429 && code === 'too_many_tries' && retryAfterSeconds !== undefined) {
    // Rounded up: nobody waits in vain.
    return retryAfterSeconds > 60
      ? words.shell.waitMinutes(Math.ceil(retryAfterSeconds / 60))
      : words.shell.waitSeconds(Math.ceil(retryAfterSeconds));
  }
  if (error.data === undefined && (error.message.includes('<') || error.message.length > readableLength)) {
    return words.shell.serverTrouble;
  }
  // The panel's English has sentences of its own, and is English all the same.
  if (words.shell !== core.shell) {
    if (error.code === 'validation_failed' && error.message !== core.errors.validation_failed) {
      return validationSentence(error.message, words);
    }
    // Those that only staff can meet have their sentences elsewhere.
    const told: Partial<Record<ErrorCode, string>> = words.errors;
    const sentence = error.code && told[error.code];
    if (sentence) return sentence;
  }
  return error.message || fallback;
}

/** `errorText` in the reader's language. */
export function useErrorText(): (error: unknown, fallback?: string) => string {
  const words = useCoreWords();
  return useCallback((error, fallback) => errorText(error, words, fallback), [words]);
}
