import { afterAll, beforeAll } from 'vitest';
import { atOnce, type Field, openFleet } from './fleet.ts';
import { peopleRaces } from './races-people.ts';
import { staffRaces } from './races-staff.ts';
import { walletRaces } from './races-wallet.ts';

// Many requests at once (in the torture fifty), spread over three server processes on one PostgreSQL, again and again:
// how many win is known beforehand, and so is what the books hold afterwards.

const field = {} as Field;

beforeAll(async () => {
  field.fleet = await openFleet();
  field.members = await atOnce(() => field.fleet.register());
});
afterAll(() => field.fleet.close());

peopleRaces(field);
walletRaces(field);
staffRaces(field);
