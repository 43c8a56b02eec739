/** Personal fields grouped as the form asks for them; each group says why. */
export const profileGroups = [
  { id: 'you', fields: ['fullName', 'email', 'address'] },
  { id: 'work', fields: ['countryOfWork', 'monthlySalary'] },
  { id: 'reference', fields: ['referenceName', 'referencePhone'] },
  { id: 'bank', fields: ['bankName', 'bankAccountNumber'] },
] as const;

export type ProfileGroup = (typeof profileGroups)[number]['id'];
export type ProfileField = (typeof profileGroups)[number]['fields'][number];
