import { spawnSync } from 'node:child_process';
import { rootDir } from './project.mjs';

const patienceMs = 30_000;
const grave = ['high', 'critical'];

/**
 * Advisories reviewed and found harmless here, by URL. `why` is for the next reader; after `until` (YYYY-MM-DD) it must
 * be reviewed again.
 * @type {{ advisory: string, why: string, until: string }[]}
 */
const exceptions = [];

/**
 * @typedef {{ url?: string, title?: string, severity?: string }} Advisory
 * @typedef {{ name: string, severity: string, via: (string | Advisory)[] }} Vulnerability
 */

/**
 * Unreviewed advisories against production packages. If the registry cannot be asked (a mirror without that service, no
 * network), says so and returns none: the check was not made.
 * @returns {Promise<string[]>}
 */
export async function auditPackages() {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: rootDir,
    encoding: 'utf8',
    timeout: patienceMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { vulnerabilities, why } = readReport(stdout ?? '');
  if (!vulnerabilities) {
    console.log(`Known holes were not looked for: ${why}. Run npm audit where the registry answers.`);
    return [];
  }
  const { faults, notes } = judge(vulnerabilities, exceptions, new Date().toISOString().slice(0, 10));
  for (const note of notes) console.log(note);
  return faults;
}

/**
 * @param {string} stdout what `npm audit --json` wrote
 * @returns {{ vulnerabilities?: Vulnerability[], why?: string }}
 */
export function readReport(stdout) {
  try {
    const report = JSON.parse(stdout);
    if (report.vulnerabilities) return { vulnerabilities: Object.values(report.vulnerabilities) };
    return { why: String(report.message ?? 'the registry does not answer').split('\n')[0] };
  } catch {
    return { why: 'the registry does not answer' };
  }
}

/**
 * @param {Vulnerability[]} vulnerabilities
 * @param {{ advisory: string, why: string, until: string }[]} judged
 * @param {string} today YYYY-MM-DD
 */
export function judge(vulnerabilities, judged, today) {
  /** @type {string[]} */
  const faults = [];
  /** @type {string[]} */
  const notes = [];
  for (const { name, via } of vulnerabilities) {
    for (const advisory of via) {
      if (typeof advisory === 'string') continue;
      const { url = '', title = '', severity = '' } = advisory;
      const known = judged.find((exception) => exception.advisory === url && exception.until >= today);
      const said = `${name}: ${title} (${severity}, ${url})`;
      if (known) notes.push(`Judged until ${known.until}: ${said}. ${known.why}`);
      else if (grave.includes(severity)) faults.push(said);
      else notes.push(`Known: ${said}`);
    }
  }
  return { faults, notes };
}
