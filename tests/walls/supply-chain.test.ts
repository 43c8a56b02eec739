import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  faultsOfLicences,
  faultsOfLockfile,
  judge,
  licencesPage,
  readReport,
} from '../../scripts/supply-chain.ts';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const sound = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };

describe('the check of what comes from others', () => {
  it('finds our own lockfile sound, and its licences on the list', () => {
    expect(faultsOfLockfile(packages)).toEqual([]);
    expect(faultsOfLicences(packages)).toEqual([]);
    expect(readFileSync('docs/licences.md', 'utf8')).toBe(licencesPage(packages));
  });

  it.each([
    ['a package that is not pinned', { integrity: undefined }, 'is not pinned by a checksum'],
    ['a package pinned by a weak checksum', { integrity: 'sha1-x' }, 'is pinned by a weak checksum'],
    [
      'a native package of another machine that would run on a server',
      { integrity: undefined, optional: true, cpu: ['arm64'] },
      'is not pinned by a checksum',
    ],
    [
      'a package from one registry only',
      { resolved: 'https://mirror.example/a.tgz' },
      'is tied to mirror.example',
    ],
    [
      'a package that runs a script when it is installed',
      { hasInstallScript: true },
      'runs a script when it is installed',
    ],
  ])('refuses %s', (_, change, fault) => {
    const path = 'node_modules/a';
    expect(faultsOfLockfile({ '': {}, [path]: { ...sound, ...change } })).toEqual([`${path} ${fault}`]);
  });

  it('lets a build tool have native packages without a checksum for other machines', () => {
    const tool = { version: '1.0.0', dev: true, optional: true, os: ['darwin'] };
    expect(faultsOfLockfile({ 'node_modules/tool': tool })).toEqual([]);
  });

  it.each(['GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'SEE LICENSE IN FILE', undefined])(
    'refuses the licence %s',
    (license) => {
      const only = { 'node_modules/a': { ...sound, license } };
      expect(faultsOfLicences(only)).toEqual([`node_modules/a comes under ${license ?? 'unknown'}`]);
      // Packages that only build and check are not passed on.
      expect(faultsOfLicences({ 'node_modules/a': { ...sound, license, dev: true } })).toEqual([]);
    },
  );
});

describe('the audit', () => {
  const hole = (severity: string) => ({
    name: 'a',
    severity,
    via: [{ url: 'https://github.com/advisories/x', title: 'a hole', severity }, 'b'],
  });
  const judged = {
    advisory: 'https://github.com/advisories/x',
    why: 'we never call it',
    until: '2026-06-30',
  };

  it.each(['high', 'critical'])('fails for a hole of the grade %s', (severity) => {
    expect(judge([hole(severity)], [], '2026-06-01').faults).toHaveLength(1);
  });

  it('only tells of lesser ones', () => {
    expect(judge([hole('moderate')], [], '2026-06-01')).toMatchObject({
      faults: [],
      notes: [expect.any(String)],
    });
  });

  it('says why a judged one is let through, until it has to be judged again', () => {
    const { faults, notes } = judge([hole('high')], [judged], '2026-06-30');
    expect(faults).toEqual([]);
    expect(notes[0]).toContain('we never call it');
    expect(judge([hole('high')], [judged], '2026-07-01').faults).toHaveLength(1);
  });

  it('says so when the registry cannot be asked', () => {
    expect(readReport('').vulnerabilities).toBeUndefined();
    expect(readReport('{"message":"405 Method Not Allowed"}').why).toBe('405 Method Not Allowed');
    expect(readReport('{"vulnerabilities":{}}').vulnerabilities).toEqual([]);
  });
});
