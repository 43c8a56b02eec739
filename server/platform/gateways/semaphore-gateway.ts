import http from 'node:http';
import https from 'node:https';
import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import type { Gateway, Outcome } from './gateway.ts';

export const semaphoreUrl = 'https://api.semaphore.co';

type Settings = { apiKey: string; sender: string; url: string };

/**
 * Text messages through Semaphore (semaphore.co/docs), or a service with the same API. A text of one's own address or key
 * never reaches the log: this file throws nothing and logs nothing.
 */
export function createSemaphoreGateway({ apiKey, sender, url }: Settings): Gateway {
  const base = url.replace(/\/+$/, '');
  return {
    name: 'semaphore',
    async send({ to, text, isUrgent }, signal) {
      const path = isUrgent ? '/api/v4/priority' : '/api/v4/messages';
      const number = to.replace(/^\+/, '');
      const form = new URLSearchParams({ apikey: apiKey, number, message: text, sendername: sender });
      const answer = await request(`${base}${path}`, signal, form.toString());
      return 'kind' in answer ? answer : outcomeOf(answer);
    },
    async ask(id, signal) {
      const query = new URLSearchParams({ apikey: apiKey });
      const answer = await request(`${base}/api/v4/messages/${encodeURIComponent(id)}?${query}`, signal);
      if ('kind' in answer || answer.status !== 200) return undefined;
      const [message] = messagesIn(answer.text) ?? [];
      const status = message?.status.toLowerCase();
      if (status === 'sent') return { kind: 'arrived' };
      return status === 'failed' || status === 'refunded' ? { kind: 'refused' } : undefined;
    },
    close: () => {},
  };
}

type Answer = { status: number; retryAfter: string | undefined; text: string };

/** An answer, or what is known without one. No redirect is followed: the text would go to somebody else. */
function request(address: string, signal: AbortSignal, form?: string): Promise<Answer | Outcome> {
  return new Promise((resolve) => {
    let isConnected = false;
    // Before there is a connection nothing was written. Afterwards the text may have been read.
    const end = () => resolve(isConnected ? { kind: 'lost', why: 'no_answer' } : { kind: 'returned' });
    const url = new URL(address);
    const { request: open } = url.protocol === 'https:' ? https : http;
    const asked = open(url, {
      method: form === undefined ? 'GET' : 'POST',
      signal,
      // A connection of its own: one that is kept could be cut while nobody knows whether this text was read.
      agent: false,
      headers: {
        accept: 'application/json',
        ...(form !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(form)),
        }),
      },
    });
    asked.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    asked.on('error', end);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const { statusCode: status = 0, headers } = response;
      const answer = () => ({
        status,
        retryAfter: headers['retry-after'],
        text: Buffer.concat(chunks).toString('utf8'),
      });
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length <= limits.gatewayAnswerMaxBytes) return;
        // A status that refuses says enough; of the rest nobody can make sense.
        resolve(status >= 400 ? { ...answer(), text: '' } : { kind: 'lost', why: 'nonsense' });
        response.destroy();
      });
      response.on('end', () => resolve(answer()));
      response.on('error', end);
      response.on('close', end);
    });
    asked.end(form);
  });
}

const Message = z.object({ message_id: z.union([z.number(), z.string()]), status: z.string() });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messagesIn(text: string): z.output<typeof Message>[] | undefined {
  const read = z.array(Message).check(z.minLength(1)).safeParse(jsonOf(text));
  return read.success ? read.data : undefined;
}

function outcomeOf({ status, retryAfter, text }: Answer): Outcome {
  const number = String(status);
  if (status === 429) return { kind: 'wait', seconds: secondsOf(retryAfter) };
  if (status === 503) return { kind: 'returned', number };
  if (status >= 200 && status < 300) return outcomeOfSuccess(text, number);
  if (status >= 400 && status < 500) return outcomeOfRefusal(status, text);
  return { kind: 'lost', why: status >= 500 ? 'no_answer' : 'nonsense', number };
}

function outcomeOfSuccess(text: string, number: string): Outcome {
  const [message] = messagesIn(text) ?? [];
  if (message) {
    const id = String(message.message_id);
    return ['failed', 'refunded'].includes(message.status.toLowerCase())
      ? { kind: 'refused', number }
      : { kind: 'taken', id };
  }
  const json = jsonOf(text);
  // It says why in JSON: `{"apikey": ["The selected apikey is invalid."]}`. Anything else says nothing.
  return typeof json === 'object' && json !== null
    ? refusalIn(json, number)
    : { kind: 'lost', why: 'nonsense', number };
}

function outcomeOfRefusal(status: number, text: string): Outcome {
  const number = String(status);
  if (status === 401 || status === 403) return { kind: 'closed', why: 'key_refused', number };
  if (status === 402) return { kind: 'closed', why: 'balance_empty', number };
  const json = jsonOf(text);
  return typeof json === 'object' && json !== null ? refusalIn(json, number) : { kind: 'refused', number };
}

/** Goes by the field that the refusal names, or the word that it uses of the balance. */
function refusalIn(json: object, number: string): Outcome {
  const names = Object.keys(json).map((name) => name.toLowerCase());
  const words = JSON.stringify(json).toLowerCase();
  if (names.includes('apikey')) return { kind: 'closed', why: 'key_refused', number };
  if (names.includes('sendername')) return { kind: 'closed', why: 'sender_refused', number };
  if (/\bbalance\b|\bcredits?\b/.test(words)) return { kind: 'closed', why: 'balance_empty', number };
  if (names.includes('number')) return { kind: 'refused', number, isAddressWrong: true };
  return { kind: 'refused', number };
}

/** Seconds, or a date. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  return undefined;
}
