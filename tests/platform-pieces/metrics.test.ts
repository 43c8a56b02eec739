import { describe, expect, it } from 'vitest';
import { createMetrics } from '#server/platform/metrics.ts';

const idle = { load: () => ({ running: 0, waiting: 0 }) };

describe('metrics', () => {
  it('counts requests and their time by method, route and status', async () => {
    const metrics = createMetrics({ passwords: idle });
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
    const metrics = createMetrics({ passwords: { load: () => load } });
    expect(await metrics.text()).toContain('password_queue{state="waiting"} 7');
    load.waiting = 0;
    expect(await metrics.text()).toContain('password_queue{state="waiting"} 0');
  });

  it('keeps the counts of two apps apart, and reports the process in both', async () => {
    const [first, second] = [createMetrics({ passwords: idle }), createMetrics({ passwords: idle })];
    first.countRequest({ method: 'POST', route: '/api/loans', status: 201, seconds: 1 });
    expect(await first.text()).toContain('/api/loans');
    expect(await second.text()).not.toContain('/api/loans');
    for (const metrics of [first, second]) {
      expect(await metrics.text()).toMatch(/^process_resident_memory_bytes \d+/m);
    }
  });

  it('writes no name twice, or Prometheus refuses the whole page', async () => {
    const text = await createMetrics({ passwords: idle }).text();
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
