import type { FastifyRequest } from 'fastify';
import type { DateLanguage } from '#domain/calendar.ts';

/**
 * In which language the form was read that a request sends, as `Content-Language` says it; null when it does not. Unlike
 * `Accept-Language` no browser sends that header by itself, so it is never a guess.
 */
export function formLanguage({ headers }: FastifyRequest): DateLanguage | null {
  const language = headers['content-language'];
  return language === 'en' || language === 'fil' ? language : null;
}
