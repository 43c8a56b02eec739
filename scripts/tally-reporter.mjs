import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { rootDir } from './project.mjs';

/**
 * A line of JSON whenever a test starts or ends, so that an aborted run still counts.
 * @typedef {object} Line
 * @property {string} project
 * @property {string} name file and test
 * @property {'began' | 'passed' | 'failed' | 'skipped' | 'file'} became
 * @property {string} [why]
 * @property {number} [seconds] how long a file took
 */

/** Enough to know what to look for; the output above has the rest. */
const failureLines = 24;

/** @param {readonly { message?: string, stack?: string }[]} errors */
const reasonOf = (errors) =>
  errors
    .map(({ stack, message = '' }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`))
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, failureLines)
    .map((line) => `    ${line}`)
    .join('\n');

export class TallyReporter {
  /** @param {string} file */
  constructor(file) {
    this.file = file;
  }

  /** @param {Line} line */
  tell(line) {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseReady(test) {
    this.tell({ ...subjectOf(test), became: 'began' });
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (state !== 'pending') this.tell({ ...subjectOf(test), became: state, why: reasonOf(errors) });
  }

  /** @param {import('vitest/node').TestModule} file */
  onTestModuleEnd(file) {
    const tests = [...file.children.allTests()];
    const suites = [...file.children.allSuites()];
    const subject = { project: file.project.name, name: relative(rootDir, file.moduleId) };
    this.tell({ ...subject, became: 'file', seconds: file.diagnostic().duration / 1000 });
    // It could not be loaded, or a hook failed and took its tests with it.
    if (file.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) {
      const errors = [file, ...suites].flatMap((part) => part.errors());
      const name = `${subject.name} › the whole file`;
      this.tell({ ...subject, name, became: 'failed', why: reasonOf(errors) });
    }
  }

  /** @param {unknown} _files @param {readonly import('vitest/node').SerializedError[]} errors */
  onTestRunEnd(_files, errors) {
    const name = 'an error outside of the tests';
    for (const error of errors) this.tell({ project: '', name, became: 'failed', why: reasonOf([error]) });
  }
}

/** @param {import('vitest/node').TestCase} test */
const subjectOf = (test) => ({
  project: test.project.name,
  name: `${relative(rootDir, test.module.moduleId)} › ${test.fullName}`,
});

/** A file of JSON lines; none when it is not there. @param {string} file */
export function readLines(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
