import { renameSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { rootDir } from './project.mjs';

/** The outcome of a project's tests. `failures`: each failed test with the reason. `seconds`: of all its files. */
export type Result = { name: string; passed: number; failed: number; failures: string[]; seconds: number };

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

/** Rewrites the tally whenever a test starts or ends, so that an aborted run still counts. */
export function tallyReporter(tally: string): Reporter {
  const results = new Map<string, Result>();
  const unended = new Set<string>();
  const save = () => {
    writeFileSync(
      `${tally}.draft`,
      JSON.stringify({ results: [...results.values()], unended: [...unended] }),
    );
    renameSync(`${tally}.draft`, tally);
  };
  const resultOf = (name: string) => {
    const result = results.get(name) ?? { name, passed: 0, failed: 0, failures: [], seconds: 0 };
    results.set(name, result);
    return result;
  };
  const fail = (project: string, name: string, errors: Parameters<typeof reasonOf>[0]) => {
    const result = resultOf(project);
    result.failed += 1;
    result.failures.push(`${name}\n${reasonOf(errors)}`);
  };
  return {
    onTestCaseReady(test) {
      unended.add(nameOf(test));
      save();
    },

    onTestCaseResult(test) {
      const { state, errors = [] } = test.result();
      unended.delete(nameOf(test));
      if (state === 'passed') resultOf(test.project.name).passed += 1;
      if (state === 'failed') fail(test.project.name, nameOf(test), errors);
      save();
    },

    onTestModuleEnd(file) {
      const { name: project } = file.project;
      resultOf(project).seconds += file.diagnostic().duration / 1000;
      // It could not be loaded, or a hook failed and took its tests with it.
      const tests = [...file.children.allTests()];
      if (file.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) {
        const errors = [file, ...file.children.allSuites()].flatMap((part) => part.errors());
        fail(project, `${relative(rootDir, file.moduleId)} › the whole file`, errors);
      }
      save();
    },

    onTestRunEnd(_files, errors) {
      for (const error of errors) fail('', 'an error outside of the tests', [error]);
      save();
    },
  };
}

const nameOf = (test: TestCase) => `${relative(rootDir, test.module.moduleId)} › ${test.fullName}`;
