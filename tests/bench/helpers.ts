import { fork } from 'node:child_process';
import { once } from 'node:events';

export type Helper<Task, Result> = { ask(task: Task): Promise<Result>; stop(): Promise<void> };

/** A process beside the bench that does one task at a time. */
export function startHelper<Task extends object, Result>(
  file: `./${string}-process.ts`,
): Helper<Task, Result> {
  const child = fork(new URL(file, import.meta.url), { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit');
  return {
    async ask(task) {
      child.send(task);
      const answer = await Promise.race([
        once(child, 'message'),
        ended.then(() => [{ failed: `${file} ended` }]),
      ]);
      const [{ failed, result }] = answer as [{ failed?: string; result: Result }];
      if (failed !== undefined) throw new Error(failed);
      return result;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

/** In the helper itself. */
export function answerParent<Task, Result>(work: (task: Task) => Promise<Result>): void {
  process.on('message', async (task: Task) => {
    const answer = await work(task).then(
      (result) => ({ result }),
      (error: Error) => ({ failed: error.message }),
    );
    process.send?.(answer);
  });
  process.once('disconnect', () => process.exit(0));
}
