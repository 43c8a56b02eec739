/** The forms whose submission gives consent; each shows its own consent sentence above the button. */
export const consentPurposes = ['register', 'profile', 'documents', 'application'] as const;

export type ConsentPurpose = (typeof consentPurposes)[number];
