import { describe, expect, it } from 'vitest';
import { createMetrics } from '#server/platform/metrics.ts';
import { idleParts } from '#tests/setup/idle-parts.ts';

describe('metrics', () => {
  it('counts requests and their time by method, route and status', async () => {
    const metrics = createMetrics(idleParts);
    const request = { method: 'GET', route: '/api/files/:id', status: 200 };
    metrics.countRequest({ ...request, seconds: 0.02 });
    metrics.countRequest({ ...request, seconds: 0.04 });
    const text = await metrics.text();
    expect(text).toContain('http_requests_total{method="GET",route="/api/files/:id",status="200"} 2');
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/files/:id",status="200"} 2',
    );
    expect(text).toContain('le="0.025",method="GET",route="/api/files/:id",status="200"} 1');
    expect(metrics.contentType).toContain('text/plain');
  });

  it('reports how many passwords are running and waiting', async () => {
    const load = { running: 2, waiting: 7 };
    const metrics = createMetrics({ ...idleParts, passwords: { load: () => load } });
    expect(await metrics.text()).toContain('password_queue{state="waiting"} 7');
    load.waiting = 0;
    expect(await metrics.text()).toContain('password_queue{state="waiting"} 0');
  });

  it('keeps the counts of two apps apart, and reports the process in both', async () => {
    const [first, second] = [createMetrics(idleParts), createMetrics(idleParts)];
    first.countRequest({ method: 'POST', route: '/api/loans', status: 201, seconds: 1 });
    expect(await first.text()).toContain('/api/loans');
    expect(await second.text()).not.toContain('/api/loans');
    for (const metrics of [first, second]) {
      expect(await metrics.text()).toMatch(/^process_resident_memory_bytes \d+/m);
    }
  });

  it('reports connections, statements, and how old seal, backup and replicas are', async () => {
    const load = { inUse: 3, waiting: 2, statements: 40, statementMs: 1500 };
    const text = await createMetrics({ ...idleParts, database: { load: () => load } }).text();
    for (const line of [
      'database_connections{state="in_use"} 3',
      'database_connections{state="waiting"} 2',
      'database_statements_total 40',
      'database_statement_seconds_total 1.5',
      'newest_seal_age_seconds 60',
      'last_backup_age_seconds Nan',
      'replica_lag_bytes{replica="second"} 1024',
      'replica_lag_seconds{replica="second"} 0.5',
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
  });

  it('writes no name twice, or Prometheus refuses the whole page', async () => {
    const text = await createMetrics(idleParts).text();
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
