import { afterEach, expect, it, vi } from 'vitest';
import { everyPage } from '#contract/wording/en-every-page.ts';

afterEach(() => {
  vi.doUnmock('#domain/profile.ts');
  vi.resetModules();
});

it('an optional text that is too short is told so, and may stay empty', async () => {
  // No field is like that today; the table allows it, and its sentence was that of unreadable characters.
  vi.resetModules();
  vi.doMock('#domain/profile.ts', async (original) => {
    const real = await original<typeof import('#domain/profile.ts')>();
    const factsOf: typeof real.factsOf = (name) =>
      name === 'countryOfWork' ? { ...real.factsOf(name), isOptional: true } : real.factsOf(name);
    return { ...real, factsOf };
  });
  const { ProfileUpdate } = await import('#contract/profile.ts');
  const messageOf = (countryOfWork: string) =>
    ProfileUpdate.safeParse({ countryOfWork }).error?.issues.map(({ message }) => message);
  expect(messageOf('A')).toEqual(['textTooShort']);
  expect(messageOf('Singa\u0000pore')).toEqual(['textUnreadable']);
  expect([messageOf(''), messageOf('Singapore')]).toEqual([undefined, undefined]);
  expect(everyPage.validation.textTooShort).toMatch(/too short/);
});
