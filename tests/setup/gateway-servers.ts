import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

export type ReceivedText = {
  path: string;
  number: string;
  message: string;
  apikey: string;
  sendername: string;
};

/** How the gateway answers one text: as its documents say, or as no gateway should. */
export type GatewayAnswer =
  | 'taken'
  | 'failed'
  | 'hanging'
  | 'cut'
  | 'nonsense'
  | 'huge'
  | 'redirect'
  | { status: number; body?: unknown; headers?: Record<string, string> };

/** A server that answers as Semaphore documents, on this machine. `texts` are those that it took, by what arrived. */
export async function startTextGateway() {
  const asked: ReceivedText[] = [];
  const arrived: ReceivedText[] = [];
  const states = new Map<string, string>();
  const stateQuestions: string[] = [];
  let answers: GatewayAnswer[] = [];
  let usual: GatewayAnswer = 'taken';
  let delayMs = 0;
  let nextId = 1;
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const [, id] = /^\/api\/v4\/messages\/(\d+)$/.exec(url.pathname) ?? [];
    if (request.method === 'GET' && id) {
      stateQuestions.push(id);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify([{ message_id: Number(id), status: states.get(id) ?? 'Pending' }]));
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const received = { path: url.pathname, ...form } as ReceivedText;
    asked.push(received);
    const answer = answers.shift() ?? usual;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    if (typeof answer === 'object') return json(answer.status, answer.body ?? {}, answer.headers);
    if (answer === 'redirect') return json(302, '', { location: '/api/v4/elsewhere' });
    // Whatever it says then, it has read the text.
    arrived.push(received);
    switch (answer) {
      case 'taken':
      case 'failed': {
        const number = nextId++;
        states.set(String(number), 'Pending');
        return json(200, [{ message_id: number, status: answer === 'taken' ? 'Pending' : 'Failed' }]);
      }
      case 'nonsense':
        return json(200, '<html>It works!</html>');
      case 'huge':
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(Buffer.alloc(20 * 1024 ** 2, 'x'));
      case 'cut':
        return void request.socket.destroy();
      case 'hanging':
        return;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    /** Everything that it was asked to send, whatever it answered. */
    asked,
    /** The messages that it may have passed on. */
    arrived,
    stateQuestions,
    answer(...next: GatewayAnswer[]) {
      answers = next;
    },
    answerAlways(next: GatewayAnswer) {
      usual = next;
    },
    setState(id: number, state: string) {
      states.set(String(id), state);
    },
    delay(ms: number) {
      delayMs = ms;
    },
    close,
  };
}

export type TextGateway = Awaited<ReturnType<typeof startTextGateway>>;

export async function passingTextGateway(): Promise<TextGateway> {
  const gateway = await startTextGateway();
  onTestFinished(gateway.close);
  return gateway;
}

export type ReceivedMail = { to: string; raw: string };

/** A real SMTP server on this machine. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(','), raw });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    onSocket: (note: (socket: Socket) => void) => void server.server.on('connection', note),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export async function passingMailServer(options: SMTPServerOptions = {}) {
  const server = await startMailServer(options);
  onTestFinished(server.close);
  return server;
}
