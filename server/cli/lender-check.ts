import { typedWords } from '#server/console-words.ts';
import { checkLender } from '#server/lender-check.ts';

// `npm run lender:check -- <file>`
const [file, ...others] = typedWords(process.argv);
try {
  if (file === undefined || others.length > 0) throw new Error('Usage: npm run lender:check -- <file>');
  await checkLender(file, (line) => void process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
