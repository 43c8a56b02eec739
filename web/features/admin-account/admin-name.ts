import type { Member } from '#contract/member.ts';

/** Whom a sentence is about: an admin may have been made with nothing but an email. */
export const adminName = ({ fullName, email, phone }: Member): string => fullName || email || phone;
