import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { rootDir } from './project.mjs';

/** A line of JSON whenever a test starts or ends, so that an aborted run still counts. */
export type Line = {
  project: string;
  name: string;
  became: 'began' | 'passed' | 'failed' | 'skipped' | 'file';
  why?: string;
  seconds?: number;
};

/** Enough to know what to look for; the output above has the rest. */
const failureLines = 24;

const reasonOf = (errors: readonly { message?: string; stack?: string }[]) =>
  errors
    .map(({ stack, message = '' }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`))
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, failureLines)
    .map((line) => `    ${line}`)
    .join('\n');

export function tallyReporter(tally: string): Reporter {
  const tell = (line: Line) => appendFileSync(tally, `${JSON.stringify(line)}\n`);
  return {
    onTestCaseReady(test) {
      tell({ ...subjectOf(test), became: 'began' });
    },

    onTestCaseResult(test) {
      const { state, errors = [] } = test.result();
      if (state !== 'pending') tell({ ...subjectOf(test), became: state, why: reasonOf(errors) });
    },

    onTestModuleEnd(file) {
      const tests = [...file.children.allTests()];
      const suites = [...file.children.allSuites()];
      const subject = { project: file.project.name, name: relative(rootDir, file.moduleId) };
      tell({ ...subject, became: 'file', seconds: file.diagnostic().duration / 1000 });
      // It could not be loaded, or a hook failed and took its tests with it.
      if (file.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) {
        const errors = [file, ...suites].flatMap((part) => part.errors());
        const name = `${subject.name} › the whole file`;
        tell({ ...subject, name, became: 'failed', why: reasonOf(errors) });
      }
    },

    onTestRunEnd(_files, errors) {
      const name = 'an error outside of the tests';
      for (const error of errors) tell({ project: '', name, became: 'failed', why: reasonOf([error]) });
    },
  };
}

const subjectOf = (test: TestCase) => ({
  project: test.project.name,
  name: `${relative(rootDir, test.module.moduleId)} › ${test.fullName}`,
});
