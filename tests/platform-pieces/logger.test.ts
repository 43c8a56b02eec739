import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createLogger, type LogLevel } from '#server/platform/logger.ts';

function collect(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = createLogger({ level, destination: { write: (line) => void lines.push(line) } });
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

  it('keeps to its level', () => {
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
    const app = fastify({ loggerInstance: log });
    app.get('/api/admin/users', async () => ({ ok: true }));
    await app.inject({
      method: 'GET',
      url: '/api/admin/users?search=Juan+Sample',
      headers: { authorization: 'Bearer abc-token', 'x-other': 'header-value' },
    });
    await app.close();
    expect(records()[0]).toMatchObject({
      reqId: expect.anything(),
      req: { method: 'GET', path: '/api/admin/users' },
    });
    expect(records().some(({ res }) => res?.statusCode === 200)).toBe(true);
    for (const personal of ['Juan', 'abc-token', 'header-value', '127.0.0.1']) {
      expect(text()).not.toContain(personal);
    }
  });

  it('logs an error with its cause and stack, without the row it stumbled over', () => {
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

  it('does not repeat input that could not be read', () => {
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

  it('comes to an end with causes that go round in a circle', () => {
    const { log, records } = collect();
    const error = new Error('round');
    error.cause = error;
    log.error({ err: error }, 'circle');
    expect(records()).toHaveLength(1);
  });
});
