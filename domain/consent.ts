/** What a person agrees to by sending a form, each with a sentence of its own over the button. */
export const consentPurposes = ['register', 'profile', 'documents', 'application'] as const;

export type ConsentPurpose = (typeof consentPurposes)[number];
