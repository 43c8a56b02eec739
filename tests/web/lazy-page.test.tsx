import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { lazyPage } from '#web/lib/lazy-page.ts';

const page = () => lazyPage(async () => ({ default: () => 'the page' }));
const drawn = (Page: ReturnType<typeof page>) => renderToStaticMarkup(<Page shape="its shape" />);

it('a page shows its skeleton while it loads', () => {
  expect(drawn(page())).toBe('its shape');
});

it('a loaded page renders at once, without its skeleton', async () => {
  const fetched = page();
  await fetched.load();
  expect(drawn(fetched)).toBe('the page');
});
