import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { OpenApi } from '#server/http/openapi.ts';
import { testServer } from '#tests/setup/test-server.ts';

const server = await testServer();

const rows = Object.entries(api as unknown as Record<string, Endpoint>);

const document = async () => (await server.visitor.readOpenApi()) as unknown as OpenApi;

/** Every `$ref` anywhere within a value. */
function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === '$ref' ? [String(part)] : refsIn(part)));
}

describe('the API document', () => {
  it('is OpenAPI 3.1 with an operation for every row of the table', async () => {
    const { openapi, paths } = await document();
    expect(openapi).toBe('3.1.0');
    for (const [name, row] of rows) expect(paths[row.path]?.[row.method.toLowerCase()], name).toBeDefined();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations).toHaveLength(new Set(rows.map(([, { method, path }]) => `${method} ${path}`)).size);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('refers to nothing that is not in it', async () => {
    const whole = await document();
    const refs = new Set(refsIn(whole));
    expect(refs.size).toBeGreaterThan(10);
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\/schemas\//);
      expect(whole.components.schemas, ref).toHaveProperty([ref.slice('#/components/schemas/'.length)]);
    }
    expect(JSON.stringify(whole)).not.toContain('$defs');
  });

  it('says for every operation who may call it', async () => {
    const { paths } = await document();
    for (const [name, row] of rows) {
      const { security = [] } = paths[row.path]?.[row.method.toLowerCase()] ?? {};
      const wanted = row.access === 'anyone' ? {} : { token: [] };
      expect(security, name).toContainEqual(wanted);
    }
  });

  it('has the parameters of every path', async () => {
    const { paths } = await document();
    for (const [path, methods] of Object.entries(paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters } of Object.values(methods)) {
        expect(parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name)).toEqual(
          inPath,
        );
      }
    }
  });

  it('describes an endpoint in full', async () => {
    const { paths, components } = await document();
    const withdraw = paths['/api/withdrawals']?.post;
    expect(withdraw?.requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/WithdrawalRequest',
    });
    expect(Object.keys(withdraw?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '409', '503']),
    );
    expect(withdraw?.responses['400']?.description).toContain('`invalid_otp`');
    expect(withdraw?.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }),
    );
    expect(components.schemas.WithdrawalRequest?.required).toEqual([
      'amount',
      'bankName',
      'bankAccountNumber',
      'otp',
    ]);
    expect(components.schemas.LoanReply?.properties?.amount).toMatchObject({
      type: 'string',
      example: '150000.00',
    });
  });

  it('names what the life of a loan and one’s own data are made of', async () => {
    const { paths, components } = await document();
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        'PaymentForm',
        'PaymentReply',
        'LoanAccountReply',
        'ApprovalReply',
        'OwnDataReply',
      ]),
    );
    const named = (path: string, status: number) =>
      paths[path]?.get?.responses[status]?.content['application/json']?.schema;
    expect(named('/api/loans/{id}/account', 200)).toEqual({ $ref: '#/components/schemas/LoanAccountReply' });
    expect(paths['/api/user/data']?.post?.responses[200]?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/OwnDataReply',
    });
  });

  it('tells what is done from what waits for a second person', async () => {
    const { paths } = await document();
    const { responses = {} } = paths['/api/admin/loans/{id}/payments']?.post ?? {};
    const schemaOf = (status: number) => responses[status]?.content['application/json']?.schema;
    expect(schemaOf(201)).toEqual({ $ref: '#/components/schemas/PaymentReply' });
    expect(schemaOf(202)).toEqual({ $ref: '#/components/schemas/AwaitingReply' });
    const waiting = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        202 in operation.responses ? [`${method} ${path}`] : [],
      ),
    );
    expect(waiting).toEqual([
      'post /api/admin/loans/{id}/actions',
      'post /api/admin/loans/{id}/disbursement',
      'post /api/admin/loans/{id}/payments',
      'post /api/admin/messages/trial',
      'put /api/admin/payments/{id}',
      'post /api/user/contact/email/code',
      'post /api/user/contact/phone/code',
      'post /api/withdrawals/code',
      'post /api/withdrawals/code-request',
    ]);
  });

  it('lists a failure under the status that it has there', async () => {
    const { paths } = await document();
    const listing = (code: string) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.values(methods).flatMap(({ responses }) =>
          Object.entries(responses).flatMap(([status, { description }]) =>
            description.includes(`\`${code}\``) ? [`${status} ${path}`] : [],
          ),
        ),
      );
    expect(listing('insufficient_funds')).toEqual([
      '409 /api/admin/approvals/{id}',
      '409 /api/admin/loans/{id}/payments',
      '409 /api/admin/loans/{id}/preview',
      '409 /api/admin/payments/{id}',
      '409 /api/loans/{id}/payments',
      '409 /api/loans/{id}/payments/preview',
      '400 /api/withdrawals',
      '400 /api/withdrawals/code',
    ]);
    expect(listing('account_suspended')).toContain('409 /api/admin/loans/{id}/disbursement');
  });

  it('says which lists go on elsewhere', async () => {
    const { paths } = await document();
    const paged = Object.entries(paths).flatMap(([path, { get }]) =>
      get?.responses['200']?.headers && 'Link' in get.responses['200'].headers ? [path] : [],
    );
    expect(paged).toEqual([
      ...[
        '/api/admin/approvals',
        '/api/admin/audit',
        '/api/loans/user',
        '/api/notifications',
        '/api/withdrawals',
      ],
    ]);
  });

  it('merges two rows on one path into one operation with either body', async () => {
    const register = (await document()).paths['/api/auth/register']?.post;
    expect(register?.security).toEqual([{}, { token: [] }]);
    expect(register?.requestBody?.content['application/json']?.schema.anyOf).toHaveLength(2);
    expect(register?.responses['201']?.content['application/json']?.schema.anyOf).toHaveLength(2);
  });

  it('knows what is optional, what is a file and what comes in lines', async () => {
    const { paths, components } = await document();
    expect(components.schemas.AllowedIpForm?.required).toEqual(['ipAddress']);
    expect(components.schemas.AdminCreation?.required).toEqual(['email', 'password']);
    const upload = paths['/api/upload']?.post?.requestBody?.content ?? {};
    expect(Object.keys(upload)).toEqual(['multipart/form-data']);
    expect(Object.keys(paths['/api/admin/users']?.get?.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'application/x-ndjson',
    ]);
    expect(paths['/api/admin/users']?.get?.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['search', false],
      ['status', false],
    ]);
  });
});

describe('its page', () => {
  it('shows every endpoint, and neither runs nor loads anything', async () => {
    const { status, headers, text } = await server.visitor.readApiPage().answer();
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const [, { path }] of rows) expect(text).toContain(`<code>${path}</code>`);
    // But an empty icon, for which browsers would ask by themselves.
    expect(text.replace('<link rel="icon" href="data:,">', '')).not.toMatch(
      /<script|<link|<img|https?:\/\//i,
    );
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('[object Object]');
  });

  it('has a target for each of its links', async () => {
    const { text } = await server.visitor.readApiPage().answer();
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(rows.length);
    for (const id of new Set(targets)) expect(text).toContain(`id="${id}"`);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
