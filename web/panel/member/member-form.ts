import * as z from 'zod/mini';
import { password, says } from '#contract/fields.ts';
import { type Member, MemberForm } from '#contract/member.ts';
import type { MemberStatus } from '#contract/profile.ts';
import { type TypedProfile, typedProfile } from '#web/lib/profile-fields.ts';

export type TypedMember = TypedProfile & { phone: string; status: z.input<typeof MemberStatus> };

export type TypedNewMember = TypedMember & { password: string };

/**
 * The rules for a new member: all those of a profile (§profile-fields). Without a password one is generated.
 */
export const NewMemberForm = z.extend(MemberForm, {
  password: z.union([z.literal(''), password], says('passwordTooShort')),
});

/**
 * Returns the rules for an existing member. Fields that are still empty may stay so: otherwise staff could
 * not correct the phone number of somebody whose address is missing.
 */
export function memberEditForm(before: TypedMember) {
  return z.custom<TypedMember>().check((context) => {
    const read = MemberForm.safeParse(context.value);
    for (const { path, message } of read.error?.issues ?? []) {
      const field = path[0] as keyof TypedMember;
      if (context.value[field] === before[field] && before[field] === '') continue;
      context.issues.push({ code: 'custom', path: [field], message, input: context.value[field] });
    }
  });
}

export const emptyMember: TypedNewMember = { phone: '', password: '', status: 'active', ...typedProfile({}) };

const memberFields = Object.keys(MemberForm.shape) as (keyof TypedMember)[];

export function typedFields(fields: { [Field in keyof TypedMember]?: unknown }): Partial<TypedMember> {
  const profile: Record<string, string> = typedProfile(fields);
  const given = memberFields.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, profile[name] ?? String(fields[name] ?? '')]));
}

export const typedMember = (member: Member): TypedMember => typedFields(member) as TypedMember;

export function filledFields(typed: TypedNewMember): TypedNewMember {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== '')) as TypedNewMember;
}
