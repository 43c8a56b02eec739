import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { applicationStepsOf } from '#web/lib/loan-status.ts';
import { Gauge, type GaugeBand, Stars } from '#web/ui/gauge.tsx';
import { LineChart } from '#web/ui/line-chart.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { Steps } from '#web/ui/steps.tsx';
import { NumberField, TextField } from '#web/ui/text-field.tsx';

const tagsOf = (html: string, name: string) => html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];
const attribute = (tag: string | undefined, name: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag ?? '')?.[1];
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('the steps of an application', () => {
  const { stepStates, progress } = en.loanStatus;

  it('are read out in words, with the current one marked', () => {
    const drawn = (status: string) =>
      renderToStaticMarkup(
        <Steps steps={applicationStepsOf(status, en.loanStatus)} label={progress} stateLabels={stepStates} />,
      );
    expect(textOf(drawn('pending'))).toBe(
      'Submitted (done) Under review (now) Decision (not yet) Released (not yet)',
    );
    expect(textOf(drawn('denied'))).toContain('Decision (stopped here)');
    const current = tagsOf(drawn('pending'), 'li').map((tag) => attribute(tag, 'aria-current'));
    expect(current).toEqual([undefined, 'step', undefined, undefined]);
    expect(attribute(tagsOf(drawn('pending'), 'ol')[0], 'aria-label')).toBe(progress);
  });
});

describe('a text field', () => {
  const field = (props: { hint?: string; error?: string }) =>
    renderToStaticMarkup(<TextField label="Phone number" id="phone" {...props} />);

  it.each([
    { props: {}, invalid: undefined, describedBy: undefined },
    { props: { hint: 'At least 10 digits' }, invalid: undefined, describedBy: 'phone-hint' },
    { props: { error: 'Phone number is required' }, invalid: 'true', describedBy: 'phone-error' },
    {
      props: { hint: 'At least 10 digits', error: 'Phone number is required' },
      invalid: 'true',
      describedBy: 'phone-error phone-hint',
    },
  ])('$props is linked to its description', ({ props, invalid, describedBy }) => {
    const html = field(props);
    const [input] = tagsOf(html, 'input');
    expect(attribute(tagsOf(html, 'label')[0], 'for')).toBe(attribute(input, 'id'));
    expect(attribute(input, 'aria-invalid')).toBe(invalid);
    expect(attribute(input, 'aria-describedby')).toBe(describedBy);
    for (const id of describedBy?.split(' ') ?? []) expect(html).toContain(`id="${id}"`);
    expect(html.includes('role="alert"')).toBe(invalid === 'true');
  });

  it('an empty error counts as none', () => {
    expect(field({ error: '' })).not.toMatch(/aria-invalid="|role="alert"/);
  });

  it('a whole number brings up the numeric keyboard', () => {
    const [input] = tagsOf(renderToStaticMarkup(<NumberField label="Term" />), 'input');
    expect([attribute(input, 'type'), attribute(input, 'inputMode')]).toEqual(['number', 'numeric']);
  });
});

describe('a chart', () => {
  const points = [3, 1, 2].map((value, index) => ({ label: `day ${index}`, value }));
  const drawing = (html: string) =>
    attribute(
      tagsOf(html, 'path').find((tag) => tag.includes('stroke-leaf')),
      'd',
    );

  it('is one sentence for screen readers', () => {
    const html = renderToStaticMarkup(<LineChart points={points} label="Between 1 and 3" note="simulated" />);
    expect(html).toContain('role="img" aria-label="Between 1 and 3"');
    expect(textOf(html)).toBe('day 0 simulated day 2');
    expect(drawing(html)).toBe('M0.00 6.00L50.00 94.00L100.00 50.00');
  });

  it('a flat one runs through the middle, and one without points draws nothing broken', () => {
    const flat = [2, 2].map((value) => ({ label: 'd', value }));
    expect(drawing(renderToStaticMarkup(<LineChart points={flat} label="" />))).toBe(
      'M0.00 50.00L100.00 50.00',
    );
    expect(renderToStaticMarkup(<LineChart points={[]} label="" />)).not.toMatch(/NaN|Infinity/);
  });
});

describe('the credit score', () => {
  const bands: GaugeBand[] = [
    { to: 500, tone: 'bad' },
    { to: 1000, tone: 'good' },
  ];

  it.each([
    { value: 0, tone: 'late', part: 0 },
    { value: 499, tone: 'late', part: 0.499 },
    { value: 500, tone: 'woven', part: 0.5 },
    { value: 1000, tone: 'woven', part: 1 },
    { value: 1200, tone: 'woven', part: 1 },
    { value: -5, tone: 'late', part: 0 },
  ])('$value fills the arc as far, in the tone of its band', ({ value, tone, part }) => {
    const html = renderToStaticMarkup(<Gauge value={value} max={1000} bands={bands} label="l" />);
    const filled = tagsOf(html, 'path').at(-1);
    expect(filled).toContain(`stroke-${tone}`);
    expect(filled).toContain(`stroke-dasharray="${part} 1"`);
  });

  it('fills as many stars as its band has, and says so', () => {
    const html = renderToStaticMarkup(<Stars count={3} outOf={5} label="3 of 5 stars" />);
    expect(tagsOf(html, 'svg').map((tag) => tag.includes('fill-mango'))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(html).toContain('aria-label="3 of 5 stars"');
  });
});

it('a status is never conveyed by colour alone', () => {
  expect(textOf(renderToStaticMarkup(<StatusChip tone="bad">Denied</StatusChip>))).toBe('Denied');
});
