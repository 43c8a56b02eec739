import type { Deps } from '#server/deps.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { type NewAccount, searchTextOf } from '#server/store/account-store.ts';

/**
 * Sample members: made up from lists, marked as a sample in address and email, and the same in every installation.
 * Nobody has a phone that begins with 0900.
 */
const givenNames =
  'Maria,Jose,Angelica,Juan,Kristine,Mark,Rosario,Antonio,Liza,Ramon,Corazon,Danilo,Imelda,Fernando,Gloria,Eduardo,Teresita,Rodel,Marites,Benigno,Luzviminda,Rey,Jocelyn,Arnel,Cherry,Joel,Rowena,Dennis,Alma,Hilario'.split(
    ',',
  );
const familyNames =
  'Santos,Reyes,Cruz,Bautista,Ocampo,Garcia,Mendoza,Torres,Tomas,Andrada,Castillo,Flores,Villanueva,Ramos,Castro,Rivera,Aquino,Navarro,Salazar,Mercado,Dela Cruz,Peña,Dizon,Evangelista,Hernandez,Ignacio,Javier,Kalaw,Lacson,Magsaysay,Natividad,Pascual,Quizon,Soriano,Tolentino,Umali,Valdez,Yumul,Zamora,Abad'.split(
    ',',
  );
const places =
  'Quezon City,Cabanatuan City,Cebu City,Davao City,Iloilo City,Baguio City,Naga City,Tarlac City,Manila,Makati,Pasig,Batangas City,Bacolod City,General Santos City'.split(
    ',',
  );
const countries = ['Philippines', 'Philippines', 'Philippines', 'Saudi Arabia', 'Singapore', 'Hong Kong'];

/**
 * A number from 0 up to 1 that looks like chance and is the same each time, for the `what` of the sample's row
 * `number`: the words of its name stirred into the number.
 */
export function sampleChance(number: number, what: string): number {
  let bits = Math.imul(number + 1, 0x9e3779b1);
  for (let index = 0; index < what.length; index += 1) {
    bits = Math.imul(bits ^ what.charCodeAt(index), 0x85ebca6b);
    bits ^= bits >>> 13;
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0xc2b2ae35);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

/** One of a list, by the same kind of chance. */
export function samplePick<Item>(items: readonly Item[], number: number, what: string): Item {
  const item = items[Math.floor(sampleChance(number, what) * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Where a sample member's money goes. */
export function sampleBankOf(deps: Pick<Deps, 'config'>, number: number) {
  const banks = deps.config.lender.partnerBanks.map(({ name }) => name);
  return {
    bankName: samplePick(banks, number, 'bank'),
    bankAccountNumber: String(
      100_000_000_000 + Math.floor(sampleChance(number, 'account') * 899_999_999_999),
    ),
  };
}

/** The row of the sample member `number`, counted from 0. */
export function sampleMember(
  deps: Pick<Deps, 'config'>,
  {
    number,
    id,
    passwordHash,
    createdAt,
  }: { number: number; id: number; passwordHash: string; createdAt: Date },
): NewAccount & { id: number } {
  const chance = (what: string) => sampleChance(number, what);
  const given = samplePick(givenNames, number, 'given name');
  const family = samplePick(familyNames, number, 'family name');
  const phone = `0900${String(number + 1).padStart(7, '0')}`;
  const address = `${1 + Math.floor(chance('house') * 400)} Sample Street, ${samplePick(places, number, 'place')}`;
  const mailbox = `${given}.${family}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const person = {
    fullName: `${given} ${family}`,
    phone,
    email: chance('email') < 0.8 ? `${mailbox}.${number + 1}@sample.example` : null,
  };
  const status = chance('status');
  const score = 300 + Math.floor(chance('score') * 550);
  return {
    ...person,
    id,
    phoneKey: phoneKey(phone),
    emailKey: person.email,
    searchText: searchTextOf(person),
    status: status < 0.9 ? 'active' : status < 0.98 ? 'pending' : 'suspended',
    address,
    countryOfWork: samplePick(countries, number, 'country'),
    monthlySalaryCentavos: (15 + Math.floor(chance('salary') * 100)) * 1_000_00,
    referenceName: `${samplePick(givenNames, number, 'reference')} ${family}`,
    referencePhone: `0900${String(9_999_999 - number).padStart(7, '0')}`,
    ...sampleBankOf(deps, number),
    creditScore: score,
    previousCreditScore: chance('trend') < 0.3 ? Math.max(300, score - 40) : null,
    passwordHash,
    isPasswordIssued: true,
    createdAt,
    updatedAt: createdAt,
  };
}
