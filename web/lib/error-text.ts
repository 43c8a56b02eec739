import { useCallback } from 'react';
import { type CoreWording, core } from '#contract/wording/en-sign-in.ts';
import { CallError } from './call-error.ts';
import { useCoreWords } from './language.tsx';

type ValidationKey = keyof CoreWording['validation'];

const readableLength = 200;

const keyOfSentence = new Map(
  Object.entries(core.validation).map(([key, sentence]) => [sentence, key as ValidationKey]),
);

/** `message` is a schema's key or the server's English sentence. */
export function validationSentence(message: string, words: CoreWording): string {
  const key = Object.hasOwn(words.validation, message)
    ? (message as ValidationKey)
    : keyOfSentence.get(message);
  return key === undefined ? message : words.validation[key];
}

/**
 * The message for a failure: in English the server's own, in another language the one for its code. Where the reply has
 * none, `fallback`, or without one the HTTP status text. Replies that are not our server's (a proxy's HTML page) are not
 * shown verbatim.
 */
export function errorText(error: unknown, words: CoreWording, fallback?: string): string {
  const { noConnection, serverTrouble, tryAgain } = words.shell;
  if (!(error instanceof CallError)) {
    return error instanceof Error && error.name === 'NetworkError' ? noConnection : (fallback ?? tryAgain);
  }
  const { status, code = 'too_many_tries', retryAfterSeconds } = error;
  if (status === 429 && code === 'too_many_tries' && retryAfterSeconds !== undefined) {
    // Rounded up so that the retry is not refused again.
    return retryAfterSeconds > 60
      ? words.shell.waitMinutes(Math.ceil(retryAfterSeconds / 60))
      : words.shell.waitSeconds(Math.ceil(retryAfterSeconds));
  }
  if (error.data === undefined && (error.message.includes('<') || error.message.length > readableLength)) {
    return serverTrouble;
  }
  // The panel has English wording of its own, so compare `shell`.
  if (words.shell !== core.shell) {
    if (error.code === 'validation_failed' && error.message !== core.errors.validation_failed) {
      return validationSentence(error.message, words);
    }
    const sentences: Partial<Record<string, string>> = words.errors;
    const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
    if (error.code && sentence !== undefined) return sentence;
  }
  return (error.isMute && fallback) || error.message || fallback || tryAgain;
}

export function useErrorText(): (error: unknown, fallback?: string) => string {
  const words = useCoreWords();
  return useCallback((error, fallback) => errorText(error, words, fallback), [words]);
}
