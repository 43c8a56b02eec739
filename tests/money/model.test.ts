import { it, onTestFinished } from 'vitest';
import { startPostgresServer } from '#tests/setup/postgres-server.ts';
import { rounds, tortureTimeoutMs } from '#tests/setup/torture.ts';
import { runModel } from './model-run.ts';
import { postgresHouse } from './model-world.ts';

const timeoutMs = tortureTimeoutMs(420_000);

it('is what the oracle says after every step, on PostgreSQL', { timeout: timeoutMs }, async () => {
  const postgres = await startPostgresServer();
  onTestFinished(postgres.stop);
  await runModel({
    kind: 'model runs on PostgreSQL',
    house: await postgresHouse(postgres),
    runs: rounds.modelRuns,
    endings: 1,
    limitMs: timeoutMs - 60_000,
    enoughRuns: 200,
    mustSee: [
      'requestWithdrawal 201',
      'requestWithdrawal 201 again',
      'requestWithdrawal 400 insufficient_funds',
      'requestWithdrawal 400 invalid_otp',
      'requestWithdrawal 409 idempotency_key_reused',
      'updateWithdrawal 200',
      'updateWithdrawal 409 withdrawal_final',
      'updateMember 200 again',
      'updateMember 409 balance_changed',
      'applyForLoan 201',
      'updateLoan 200',
      'updateLoan 409 loan_disbursed',
      'disburseLoan 201',
      'disburseLoan 409 already_disbursed',
      'cancelDisbursement 201',
      'recordPayment 201',
      'recordPayment 409 not_disbursed',
      'updatePayment 200',
      'payOwnLoan 201',
      'payOwnLoan 409 insufficient_funds',
      'actOnLoan 201',
      'register 409 already_registered',
      'deleteUser 200',
      'restarted',
      'killed before the answer',
    ],
  });
});
