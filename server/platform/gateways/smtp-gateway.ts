import { Readable } from 'node:stream';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { limits } from '#domain/limits.ts';
import type { Gateway, Outcome } from './gateway.ts';

export type MailAddress = { name: string; address: string };

const connectMs = 10_000;
/** Less than servers wait before they close a connection that nobody uses. */
const idleMs = 20_000;

/** Our own part of what nodemailer passes through it with each message. */
type Watched = { handedOver?: () => void };

/** E-mail over SMTP, through a few connections that are kept open; the server's certificate is checked. */
export function createSmtpGateway({ url, from }: { url: string; from: MailAddress }): Gateway {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = nodemailer.createTransport({
    pool: true,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Only this machine itself may be reached in the clear.
    requireTLS: !secure && !isLoopback(hostname),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    maxConnections: limits.messagesAtOnce,
    maxMessages: Number.POSITIVE_INFINITY,
    // Its own second try after a lost connection would send a message twice.
    maxRequeues: 0,
    idleTimeout: idleMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: limits.gatewayTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', (mail, done) => {
    const { handedOver = () => {} } = mail.data as Watched;
    const create = mail.message.createReadStream.bind(mail.message);
    // Read only once the server has asked for it with a 354.
    mail.message.createReadStream = () => Readable.from(watched(create(), handedOver), { objectMode: false });
    done();
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return {
    name: 'smtp',
    async send({ id, to, subject, text }, signal) {
      let isHandedOver = false;
      const mail: SendMailOptions & Watched = {
        from,
        to,
        subject,
        text,
        textEncoding: 'quoted-printable',
        messageId: `<message-${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        handedOver: () => {
          isHandedOver = true;
        },
      };
      const sending = transport.sendMail(mail).then(
        (): Outcome => ({ kind: 'taken' }),
        (error: SmtpError): Outcome => outcomeOf(error, isHandedOver),
      );
      return Promise.race([sending, brokenOff(signal)]);
    },
    close: () => transport.close(),
  };
}

/** Notes when all of the message has been given to the connection: until then no server can have taken it. */
async function* watched(message: NodeJS.ReadableStream, handedOver: () => void) {
  yield* message;
  handedOver();
}

/** Nothing breaks off a message that is being sent: the caller who waits is told that the outcome is not known. */
const brokenOff = (signal: AbortSignal) =>
  new Promise<Outcome>((resolve) => {
    const end = () => resolve({ kind: 'lost', why: 'no_answer' });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

type SmtpError = Error & { code?: string; command?: string; responseCode?: number };

function outcomeOf({ code, command = '', responseCode }: SmtpError, isHandedOver: boolean): Outcome {
  const number = responseCode === undefined ? undefined : String(responseCode);
  if (code === 'EAUTH' && (responseCode === undefined || responseCode >= 500))
    return { kind: 'closed', why: 'key_refused', number };
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500)
    return { kind: 'returned', number };
  if (responseCode !== undefined && responseCode >= 500) {
    if (command === 'MAIL FROM') return { kind: 'closed', why: 'sender_refused', number };
    return { kind: 'refused', number, ...(command === 'RCPT TO' && { isAddressWrong: true as const }) };
  }
  return isHandedOver ? { kind: 'lost', why: 'no_answer' } : { kind: 'returned' };
}

export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
