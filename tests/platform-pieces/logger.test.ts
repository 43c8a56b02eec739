import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { OneLineARequest } from '#server/http/app.ts';
import { createLogger, type LogLevel } from '#server/platform/logger.ts';

function collect(level: LogLevel = 'info', isTerminal = false) {
  const lines: string[] = [];
  const log = createLogger({ level, isTerminal, destination: { write: (line) => void lines.push(line) } });
  return { log, text: () => lines.join(''), records: () => lines.map((line) => JSON.parse(line)) };
}

describe('the logger', () => {
  it('writes one JSON object a line, with the moment and the level as a word', () => {
    const { log, records } = collect();
    log.warn({ count: 2 }, 'something');
    expect(records()).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        pid: process.pid,
        count: 2,
        msg: 'something',
      },
    ]);
  });

  it('respects its level', () => {
    const { log, records } = collect('error');
    log.info('quiet');
    log.error('loud');
    expect(records().map(({ msg }) => msg)).toEqual(['loud']);
    const silent = collect('silent');
    silent.log.fatal('nothing');
    expect(silent.text()).toBe('');
  });

  it('withholds secrets and personal data, at the top and one level deep', () => {
    const { log, text } = collect();
    log.info({ password: 'hunter22', token: 'abc-token', body: { x: 'in-body' } }, 'top');
    log.info({ member: { phone: '+639171234567', otpCode: '482913', fullName: 'Someone' } }, 'deep');
    log.info({ request: { headers: { authorization: 'Bearer abc-token', cookie: 'c=1' } } }, 'headers');
    for (const secret of ['hunter22', 'abc-token', 'in-body', '+639171234567', '482913', 'Someone', 'c=1']) {
      expect(text()).not.toContain(secret);
    }
    expect(text()).toContain('[withheld]');
  });

  it('logs a request by method and path only', async () => {
    const { log, text, records } = collect();
    const app = fastify({ loggerInstance: log, logController: new OneLineARequest(log) });
    app.get('/api/admin/users', async () => ({ ok: true }));
    await app.inject({
      method: 'GET',
      url: '/api/admin/users?search=Juan+Sample',
      headers: { authorization: 'Bearer abc-token', 'x-other': 'header-value' },
    });
    await app.close();
    expect(records()).toEqual([
      expect.objectContaining({
        reqId: expect.anything(),
        req: { method: 'GET', path: '/api/admin/users' },
        res: { statusCode: 200 },
      }),
    ]);
    for (const personal of ['Juan', 'abc-token', 'header-value', '127.0.0.1']) {
      expect(text()).not.toContain(personal);
    }
  });

  it('logs an error with its cause and stack, without the row it failed on', () => {
    const { log, text, records } = collect();
    const cause = Object.assign(
      new Error('duplicate key value violates unique constraint "accounts_phone_unique"'),
      {
        code: '23505',
        constraint: 'accounts_phone_unique',
        detail: 'Key (phone_key)=(+639171234567) already exists.',
        where: 'row Juan Sample',
      },
    );
    const error = new Error('Failed query: insert into accounts\nparams: +639171234567,Juan\nSample', {
      cause,
    });
    log.error({ err: error }, 'an unforeseen error');
    expect(records()[0].err).toMatchObject({
      type: 'Error',
      message: 'Failed query: insert into accounts',
      stack: expect.stringContaining('logger.test.ts'),
      cause: { code: '23505', constraint: 'accounts_phone_unique' },
    });
    for (const personal of ['+639171234567', 'Juan', 'Sample']) expect(text()).not.toContain(personal);
  });

  it('does not repeat unreadable input', () => {
    const { log, text } = collect();
    const badNumber = Object.assign(
      new Error('invalid input syntax for type bigint: "Juan \\"J\\" Sample"'),
      {
        code: '22P02',
      },
    );
    log.error({ err: badNumber }, 'data');
    try {
      JSON.parse('{"phone": Juan');
    } catch (error) {
      log.error({ err: error }, 'json');
    }
    log.error({ err: 'Juan, thrown as text' }, 'text');
    expect(text()).not.toContain('Juan');
    expect(text()).toContain('invalid input syntax for type bigint');
  });

  it('stops at circular causes', () => {
    const { log, records } = collect();
    const error = new Error('round');
    error.cause = error;
    log.error({ err: error }, 'circle');
    expect(records()).toHaveLength(1);
  });
});

describe('on a terminal', () => {
  const clock = /^\d\d:\d\d:\d\d /gm;

  it('a request is one readable line: what was asked, the status and the time taken', async () => {
    const { log, text } = collect('info', true);
    const app = fastify({ loggerInstance: log, logController: new OneLineARequest(log) });
    app.get('/api/loans/user', async () => ({ ok: true }));
    app.setNotFoundHandler((_request, reply) => reply.code(404).send());
    await app.inject('/api/loans/user?search=Juan');
    await app.inject({ method: 'POST', url: '/nothing' });
    await app.close();
    expect(text().replace(clock, '')).toMatch(
      /^info {2}GET \/api\/loans\/user 200 \d+ ms\ninfo {2}POST \/nothing 404 \d+ ms\n$/,
    );
    expect(text()).not.toContain('Juan');
  });

  it('anything else is its sentence and its fields, at its level, without what is withheld', () => {
    const { log, text } = collect('warn', true);
    log.info('quiet');
    log.warn({ chore: 'seals', password: 'hunter22' }, 'housekeeping failed');
    expect(text().replace(clock, '')).toBe('warn  housekeeping failed chore="seals" password="[withheld]"\n');
  });

  it('an error is shown with its causes and its origin', () => {
    const { log, text } = collect('info', true);
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'phone_unique' });
    log.error({ err: new Error('Failed query', { cause }) }, 'an unforeseen error');
    expect(text().replace(clock, '')).toMatch(
      /^error an unforeseen error\n {2}Error: Failed query\n {4}at [\s\S]*\n {2}Error: duplicate key \(23505, phone_unique\)\n/,
    );
  });

  it('nothing that a stranger sent can move the cursor', () => {
    const { log, text } = collect('info', true);
    log.warn({ err: new Error('\u001b[2Jgone\rand\u202eback') }, 'odd \u001b]0;title\u0007');
    expect(text()).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(text()).toContain('gone');
  });
});
